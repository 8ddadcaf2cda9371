import { parseArgs } from 'node:util';
import type { BytesCheck, HeldLabel, Store, Sweep } from '../../store/store.ts';
import type { ScrubProgress } from '../../store/embedded/scrub.ts';
import { day, progress, progressDone, say, type AdminCommand } from './command.ts';

const PAGE = 200;
const AT_ONCE = 8;
/** When more than this many and more than a tenth are wrong, the folder or bucket is rather the wrong one. */
const BELIEVABLE = 16;
/** A label counts as damaged only when this many checks, with a pause between them, agree. */
const CHECKS = 3;
const PAUSE_MS = 2000;

const words: Record<Exclude<BytesCheck, 'intact'>, string> = {
  missing: 'the bytes are missing',
  corrupted: 'the bytes have changed',
  unclear: 'the store gives contradictory answers',
};

interface Suspect {
  label: HeldLabel;
  found: Exclude<BytesCheck, 'intact'>;
}

/**
 * `admin verify [--repair]`: every label's bytes against the SHA-256 in its row. A repair deletes no label: it marks
 * damaged ones, so that the next lookup fetches a new copy, and the mark goes when the bytes turn out to be whole.
 */
export const command: AdminCommand = async (args, { store }) => {
  const { values } = parseArgs({ args, options: { repair: { type: 'boolean' } } });
  const { labels: all } = await store.counts();
  await background(store);
  let suspects: Suspect[] = [];
  let checked = 0;
  for (let after: string | null = null; ;) {
    const page = await store.labels(after, PAGE);
    for (let from = 0; from < page.length; from += AT_ONCE) {
      const some = page.slice(from, from + AT_ONCE);
      suspects.push(...(await check(some, store)));
      checked += some.length;
      progress(`${checked} of ${all} labels checked, ${suspects.length} wrong`);
    }
    if (page.length < PAGE) break;
    after = page.at(-1)!.vin;
  }
  for (let round = 2; round <= CHECKS && suspects.length > 0; round++) {
    progress(`checking ${suspects.length} labels again`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    suspects = await checkAgain(suspects, store);
  }
  progressDone();

  const damaged = suspects.filter(({ found }) => found !== 'unclear');
  const repair = values.repair && (damaged.length <= BELIEVABLE || damaged.length * 10 <= checked);
  for (const { label, found } of suspects) {
    const mark = repair && found !== 'unclear';
    if (mark) await store.markDamaged(label.vin, label.sha256);
    const what = mark ? '; the next lookup fetches it again' : '';
    say(`${label.vin}  ${label.sha256}  ${words[found]}${what}`);
  }
  say(`${checked - suspects.length} labels are whole, ${suspects.length} are not.`);
  const tidy = !store.coordination || (await sweep(store.coordination.sweep, values.repair ?? false));
  if (suspects.length === 0) return tidy ? 0 : 1;
  if (damaged.length < suspects.length)
    say('Labels with contradictory answers were left as they are. Run this again when the store is healthy.');
  else if (repair) return tidy ? 0 : 1;
  if (damaged.length > 0 && !repair)
    say(
      values.repair
        ? 'That is too much for an accident, so nothing was changed: check DATA_DIR or S3_URL, or restore a backup.'
        : 'Run with --repair to fetch these labels again when somebody asks for them.',
    );
  return 1;
};

/** How far the service's own slow check is; only the embedded store has one. */
async function background(store: Store): Promise<void> {
  const text = await store.note('scrub');
  if (text === null) return;
  const { checked, damaged, since, finished } = JSON.parse(text) as ScrubProgress;
  const last = finished === null ? 'no full pass yet' : `the last full pass ended on ${day(finished)}`;
  say(`Background check: ${checked} labels read since ${day(since)}, ${damaged} damaged; ${last}.`);
}

async function check(labels: HeldLabel[], store: Store): Promise<Suspect[]> {
  const results = await Promise.all(labels.map((label) => store.checkBytes(label)));
  return labels.flatMap((label, index) => {
    const found = results[index]!;
    return found === 'intact' ? [] : [{ label, found }];
  });
}

/** Those still not whole; `unclear` where the checks disagree. */
async function checkAgain(suspects: Suspect[], store: Store): Promise<Suspect[]> {
  const still: Suspect[] = [];
  for (let from = 0; from < suspects.length; from += AT_ONCE) {
    const before = suspects.slice(from, from + AT_ONCE);
    const now = await check(
      before.map(({ label }) => label),
      store,
    );
    for (const { label, found } of now) {
      const same = before.some((each) => each.label === label && each.found === found);
      still.push({ label, found: same ? found : 'unclear' });
    }
  }
  return still;
}

/** What is left over in the bucket harms nobody, so it alone is no failure. */
async function sweep(look: Sweep, repair: boolean): Promise<boolean> {
  const { restored, withdrawnAgain, orphans, removed, believable, copiesWrong } = await look({ repair });
  if (restored > 0)
    say(`${restored} labels in the bucket had lost their rows${repair ? '; the rows are back' : ''}.`);
  if (withdrawnAgain > 0) say(`${withdrawnAgain} withdrawn labels had come back and were removed again.`);
  if (orphans > 0) say(`${orphans} objects in the bucket belong to no row; ${removed} were removed.`);
  if (copiesWrong > 0)
    say(
      `${copiesWrong} copies of rows in the bucket were missing or out of date${repair ? '; written anew' : ''}.`,
    );
  if (!believable)
    say('So many objects without a row are no accident, so none was removed: check DATABASE_URL and S3_URL.');
  return believable;
}
