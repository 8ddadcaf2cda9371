import { parseArgs } from 'node:util';
import { allLabels } from '../../store/all-labels.ts';
import type { BytesCheck, HeldLabel, Store } from '../../store/store.ts';
import { inOrder } from '../batch.ts';
import { progress, progressDone, print, type AdminCommand } from './command.ts';

const CONCURRENCY = 8;
/** If more than this many and more than a tenth are damaged, the folder or bucket is probably the wrong one. */
const MAX_PLAUSIBLE_DAMAGE = 16;
/** A label counts as damaged only when this many checks, with a pause between them, agree. */
const CHECKS = 3;
const PAUSE_MS = 2000;

type Damage = Exclude<BytesCheck, 'intact'>;

const DESCRIPTIONS: Record<Damage, string> = {
  missing: 'the bytes are missing',
  corrupted: 'the bytes have changed',
  unclear: 'the checks disagree',
};

/**
 * `admin verify [--repair]`: checks every label's bytes against the SHA-256 in its row. A repair deletes no label: it marks
 * damaged ones, so that the next lookup fetches a new copy. The mark is removed if the bytes turn out to be intact.
 */
export const command: AdminCommand = async (args, { store }) => {
  const { values } = parseArgs({ args, options: { repair: { type: 'boolean' } } });
  const { labels: all } = await store.counts();
  let suspects = new Map<HeldLabel, Damage>();
  let checked = 0;
  for await (const [label, found] of check(allLabels(store), store)) {
    checked++;
    if (found !== 'intact') suspects.set(label, found);
    progress(`${checked} of ${all} labels checked, ${suspects.size} damaged`);
  }
  for (let round = 2; round <= CHECKS && suspects.size > 0; round++) {
    progress(`checking ${suspects.size} labels again`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const before = suspects;
    suspects = new Map();
    for await (const [label, found] of check(before.keys(), store))
      if (found !== 'intact') suspects.set(label, before.get(label) === found ? found : 'unclear');
  }
  progressDone();

  const damaged = suspects.values().reduce((count, found) => count + (found === 'unclear' ? 0 : 1), 0);
  const repair = values.repair && (damaged <= MAX_PLAUSIBLE_DAMAGE || damaged * 10 <= checked);
  for (const [label, found] of suspects) {
    const mark = repair && found !== 'unclear';
    if (mark) await store.markDamaged(label);
    const note = mark ? '; the next lookup fetches it again' : '';
    print(`${label.vin}  ${label.sha256}  ${DESCRIPTIONS[found]}${note}`);
  }
  const intact = checked - suspects.size;
  const isOrAre = (count: number) => (count === 1 ? 'is' : 'are');
  print(
    `${intact} label${intact === 1 ? '' : 's'} ${isOrAre(intact)} intact, ${suspects.size} ${isOrAre(suspects.size)} not.`,
  );
  if (suspects.size === 0) return 0;
  if (damaged < suspects.size)
    print('Labels whose checks disagree were not changed. Run this again when the store is healthy.');
  else if (repair) return 0;
  if (damaged > 0 && !repair)
    print(
      values.repair
        ? 'That many are unlikely to be damaged, so nothing was changed: check DATA_DIR or S3_URL, or restore a backup.'
        : 'Run with --repair to fetch these labels again at their next lookup.',
    );
  return 1;
};

const check = (labels: Iterable<HeldLabel> | AsyncIterable<HeldLabel>, store: Store) =>
  inOrder(labels, CONCURRENCY, async (label) => [label, await store.checkBytes(label)] as const);
