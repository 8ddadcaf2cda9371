import { parseArgs } from 'node:util';
import type { BytesCheck, HeldLabel, Store } from '../../store/store.ts';
import { progress, progressDone, print, type AdminCommand } from './command.ts';

const PAGE_LABELS = 200;
const CONCURRENCY = 8;
/** If more than this many and more than a tenth are damaged, the folder or bucket is probably the wrong one. */
const MAX_PLAUSIBLE_DAMAGE = 16;
/** A label counts as damaged only when this many checks, with a pause between them, agree. */
const CHECKS = 3;
const PAUSE_MS = 2000;

const DESCRIPTIONS: Record<Exclude<BytesCheck, 'intact'>, string> = {
  missing: 'the bytes are missing',
  corrupted: 'the bytes have changed',
  unclear: 'the checks disagree',
};

interface Suspect {
  label: HeldLabel;
  found: Exclude<BytesCheck, 'intact'>;
}

/**
 * `admin verify [--repair]`: checks every label's bytes against the SHA-256 in its row. A repair deletes no label: it marks
 * damaged ones, so that the next lookup fetches a new copy. The mark is removed if the bytes turn out to be intact.
 */
export const command: AdminCommand = async (args, { store }) => {
  const { values } = parseArgs({ args, options: { repair: { type: 'boolean' } } });
  const { labels: all } = await store.counts();
  let suspects: Suspect[] = [];
  let checked = 0;
  for (let after: string | null = null; ;) {
    const page = await store.labels(after, PAGE_LABELS);
    for (let from = 0; from < page.length; from += CONCURRENCY) {
      const some = page.slice(from, from + CONCURRENCY);
      suspects.push(...(await check(some, store)));
      checked += some.length;
      progress(`${checked} of ${all} labels checked, ${suspects.length} damaged`);
    }
    if (page.length < PAGE_LABELS) break;
    after = page.at(-1)!.vin;
  }
  for (let round = 2; round <= CHECKS && suspects.length > 0; round++) {
    progress(`checking ${suspects.length} labels again`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    suspects = await checkAgain(suspects, store);
  }
  progressDone();

  const damaged = suspects.filter(({ found }) => found !== 'unclear');
  const repair = values.repair && (damaged.length <= MAX_PLAUSIBLE_DAMAGE || damaged.length * 10 <= checked);
  for (const { label, found } of suspects) {
    const mark = repair && found !== 'unclear';
    if (mark) await store.markDamaged(label);
    const note = mark ? '; the next lookup fetches it again' : '';
    print(`${label.vin}  ${label.sha256}  ${DESCRIPTIONS[found]}${note}`);
  }
  const intact = checked - suspects.length;
  const isOrAre = (count: number) => (count === 1 ? 'is' : 'are');
  print(
    `${intact} label${intact === 1 ? '' : 's'} ${isOrAre(intact)} intact, ${suspects.length} ${isOrAre(suspects.length)} not.`,
  );
  if (suspects.length === 0) return 0;
  if (damaged.length < suspects.length)
    print('Labels whose checks disagree were not changed. Run this again when the store is healthy.');
  else if (repair) return 0;
  if (damaged.length > 0 && !repair)
    print(
      values.repair
        ? 'That many are unlikely to be damaged, so nothing was changed: check DATA_DIR or S3_URL, or restore a backup.'
        : 'Run with --repair to fetch these labels again at their next lookup.',
    );
  return 1;
};

async function check(labels: HeldLabel[], store: Store): Promise<Suspect[]> {
  const results = await Promise.all(labels.map((label) => store.checkBytes(label)));
  return labels.flatMap((label, index) => {
    const found = results[index]!;
    return found === 'intact' ? [] : [{ label, found }];
  });
}

/** The labels that are still not intact; `unclear` if the checks disagree. */
async function checkAgain(suspects: Suspect[], store: Store): Promise<Suspect[]> {
  const still: Suspect[] = [];
  for (let from = 0; from < suspects.length; from += CONCURRENCY) {
    const before = suspects.slice(from, from + CONCURRENCY);
    const now = await check(
      before.map(({ label }) => label),
      store,
    );
    for (const { label, found } of now) {
      const same = before.some((suspect) => suspect.label === label && suspect.found === found);
      still.push({ label, found: same ? found : 'unclear' });
    }
  }
  return still;
}
