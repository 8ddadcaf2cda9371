import { openLabelWorkers } from '../lookup/label-workers.ts';
import { createMemoryCache } from '../lib/memory-cache.ts';
import { openTextsAndPreviews, type TextsAndPreviews } from '../lookup/texts-and-previews.ts';
import { createLog } from '../lib/log.ts';
import { allLabels } from '../store/all-labels.ts';
import type { HeldLabel, Store } from '../store/store.ts';
import { inOrder, Progress } from './batch.ts';
import { EXIT, parseArguments, storeError } from './command-line.ts';
import { fail } from './output.ts';
import { openStoreOf, storeConfig } from './store-config.ts';

const USAGE = `Reads every stored label that the current readers have not read yet, from its stored text if there is one.

  monroney relabel [--after VIN]

Can run while the service is running. If you stop and restart it, it skips what is done; --after skips everything up to
that VIN. Uses DATA_DIR and the other settings of the service, and prints which store that is on standard error. If there
is none, it exits with 1.

Prints how many labels have prices that add up ("read") or don't ("open"), can't be read ("unreadable"), and caused an
error ("failed"). The exit code is 1 when one failed.
`;

const CONCURRENCY = 2;

interface Tally {
  read: number;
  unreadable: number;
  open: number;
  failed: number;
}

export const options = { after: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;

export async function run(args: string[]): Promise<number> {
  const parsed = parseArguments(args, options, USAGE, 0);
  if (typeof parsed === 'number') return parsed;
  const after = parsed.values.after?.toUpperCase() ?? null;
  const config = storeConfig();
  if (typeof config === 'string') return fail(config, EXIT.usage);
  const log = createLog('error', (lines) => void process.stderr.write(lines));
  let store;
  try {
    store = await openStoreOf(config, log);
  } catch (error) {
    return storeError(error);
  }
  const workers = openLabelWorkers({ readers: CONCURRENCY, warm: false, log });
  try {
    const tally = await relabel(
      store,
      openTextsAndPreviews({ store, workers, memory: createMemoryCache(), log }),
      after,
    );
    process.stdout.write(`${JSON.stringify(tally)}\n`);
    return tally.failed > 0 ? 1 : 0;
  } finally {
    await workers.close();
    await store.close();
    log.flush();
  }
}

/** Reads the stored labels in VIN order, two at a time. */
async function relabel(
  store: Pick<Store, 'labels' | 'counts'>,
  textsAndPreviews: Pick<TextsAndPreviews, 'reading'>,
  after: string | null,
): Promise<Tally> {
  const tally: Tally = { read: 0, unreadable: 0, open: 0, failed: 0 };
  const { labels: total } = await store.counts();
  const progress = new Progress(total, 'labels checked');
  let done = 0;
  for await (const _ of inOrder(allLabels(store, after), CONCURRENCY, (label) =>
    readOne(textsAndPreviews, label, tally),
  ))
    progress.show(++done);
  progress.clear();
  return tally;
}

async function readOne(
  textsAndPreviews: Pick<TextsAndPreviews, 'reading'>,
  label: HeldLabel,
  tally: Tally,
): Promise<void> {
  try {
    const reading = await textsAndPreviews.reading(label);
    if (!reading.readable) tally.unreadable++;
    else if (reading.proof?.closes) tally.read++;
    else tally.open++;
  } catch (error) {
    tally.failed++;
    process.stderr.write(`${label.vin}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
