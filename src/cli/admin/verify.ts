import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { LabelGone, LabelSpoilt, type HeldLabel, type Store, type Sweep } from '../../store/store.ts';
import { progress, progressDone, say, type AdminCommand } from './command.ts';

const PAGE = 200;
const AT_ONCE = 8;
/** When more than this many and more than a tenth are wrong, the folder or bucket is rather the wrong one. */
const BELIEVABLE = 16;

interface Wrong {
  vin: string;
  sha256: string;
  what: string;
}

/** `admin verify [--repair]`: every label's bytes against the SHA-256 in its row. */
export const command: AdminCommand = async (args, { store }) => {
  const { values } = parseArgs({ args, options: { repair: { type: 'boolean' } } });
  const { labels: all } = await store.counts();
  const wrong: Wrong[] = [];
  let checked = 0;
  for (let after: string | null = null; ;) {
    const page = await store.labels(after, PAGE);
    for (let from = 0; from < page.length; from += AT_ONCE) {
      const some = page.slice(from, from + AT_ONCE);
      const faults = await Promise.all(some.map((label) => fault(label, store)));
      some.forEach(({ vin, sha256 }, index) => {
        const what = faults[index];
        if (what) wrong.push({ vin, sha256, what });
      });
      checked += some.length;
      progress(`${checked} of ${all} labels checked, ${wrong.length} wrong`);
    }
    if (page.length < PAGE) break;
    after = page.at(-1)!.vin;
  }
  progressDone();

  const repair = values.repair && (wrong.length <= BELIEVABLE || wrong.length * 10 <= checked);
  for (const { vin, sha256, what } of wrong) {
    say(`${vin}  ${sha256}  ${what}${repair ? '; dropped, the next lookup asks for it again' : ''}`);
    if (repair) await store.unkeep(vin, sha256);
  }
  say(`${checked - wrong.length} labels are whole, ${wrong.length} are not.`);
  const tidy = !store.together || (await sweep(store.together.sweep, values.repair ?? false));
  if (wrong.length === 0 || repair) return tidy ? 0 : 1;
  say(
    values.repair
      ? 'That is too much for an accident, so nothing was dropped: check DATA_DIR or S3_URL, or put a backup back.'
      : 'Run with --repair to drop these rows, so that the labels are asked for again.',
  );
  return 1;
};

/** What is left over in the bucket harms nobody, so it alone is no failure. */
async function sweep(look: Sweep, repair: boolean): Promise<boolean> {
  const { restored, orphans, removed, believable, copiesWrong } = await look({ repair });
  if (restored > 0)
    say(`${restored} labels in the bucket had lost their rows${repair ? '; the rows are back' : ''}.`);
  if (orphans > 0) say(`${orphans} objects in the bucket belong to no row; ${removed} were removed.`);
  if (copiesWrong > 0)
    say(
      `${copiesWrong} copies of rows in the bucket were missing or out of date${repair ? '; written anew' : ''}.`,
    );
  if (!believable)
    say('So many objects without a row are no accident, so none was removed: check DATABASE_URL and S3_URL.');
  return believable;
}

/** What is wrong with a label's bytes; a store that cannot answer is no fault of the label and ends the command. */
async function fault({ sha256, bytes }: HeldLabel, store: Store): Promise<string | null> {
  try {
    const pdf = await store.pdf(sha256);
    if (pdf.length !== bytes) return `${pdf.length} bytes instead of ${bytes}`;
    return createHash('sha256').update(pdf).digest('hex') === sha256 ? null : 'the bytes have changed';
  } catch (error) {
    if (error instanceof LabelGone) return 'the bytes are gone';
    if (error instanceof LabelSpoilt) return 'the bytes have changed';
    throw error;
  }
}
