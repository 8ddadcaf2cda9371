import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { progress, progressDone, say, type AdminCommand } from './command.ts';

const PAGE = 200;

/** `admin verify [--repair]`: every label's bytes against the SHA-256 in its row. */
export const command: AdminCommand = async (args, admin) => {
  const { values } = parseArgs({ args, options: { repair: { type: 'boolean' } } });
  const { store } = admin;
  const { labels: all } = await store.counts();
  let right = 0;
  const wrong: { vin: string; sha256: string; what: string }[] = [];
  for (let after: string | null = null; ;) {
    const page = await store.labels(after, PAGE);
    for (const label of page) {
      const what = await fault(label.sha256, label.bytes);
      if (what) wrong.push({ vin: label.vin, sha256: label.sha256, what });
      else right++;
      if ((right + wrong.length) % 50 === 0)
        progress(`${right + wrong.length} of ${all} labels checked, ${wrong.length} wrong`);
    }
    if (page.length < PAGE) break;
    after = page.at(-1)!.vin;
  }
  progressDone();
  for (const { vin, sha256, what } of wrong) {
    say(`${vin}: ${what}${values.repair ? '; dropped, so that the next lookup asks for it again' : ''}`);
    if (values.repair) await store.unkeep(vin, sha256);
  }
  say(
    `${right} labels are whole, ${wrong.length} are not.${wrong.length && !values.repair ? ' Run with --repair to drop those rows.' : ''}`,
  );
  return wrong.length && !values.repair ? 1 : 0;

  async function fault(sha256: string, bytes: number): Promise<string | null> {
    try {
      const pdf = await store.pdf(sha256);
      if (pdf.length !== bytes) return `${pdf.length} bytes instead of ${bytes}`;
      return createHash('sha256').update(pdf).digest('hex') === sha256 ? null : 'the bytes have changed';
    } catch {
      return 'the bytes are missing';
    }
  }
};
