import type { LabelResponse } from '@monroney/client';
import { carName } from '@monroney/label/lib/names';
import { paintName } from '@monroney/label/lib/option-names';
import { isVin, loadVpic } from '@monroney/vin';
import { failureOf, type LookupClient } from './client.ts';
import { Progress } from './batch.ts';
import { labelFile, saveLabel } from './get.ts';
import type { LookupJournal } from './lookup-journal.ts';
import { labelCells, NOTHING, type StickerCells } from '../tables/sticker-cells.ts';

export interface LookupOptions {
  journal: LookupJournal;
  /** Fails at once if a source does. */
  client: LookupClient;
  /** How many VINs of each make at a time. */
  concurrency: number;
  /** Where to save the PDFs. */
  folder: string | undefined;
  signal: AbortSignal;
}

/** Nothing more can be looked up now. */
export class ServiceGone extends Error {}

/** So many failures in a row are the source's, not the VINs'. */
const FAILURES_IN_A_ROW = 3;

/**
 * Looks up every VIN of the journal that is missing. A source that fails costs its own VINs only: makes don't wait for each
 * other, and those that failed are asked for once more after the rest.
 */
export async function lookUpAll(options: LookupOptions): Promise<void> {
  const makes = options.journal.missing();
  const total = [...makes.values()].reduce((sum, vins) => sum + vins.length, 0);
  const progress = new Progress(total, 'VINs looked up');
  let done = 0;
  const count = () => progress.show(++done);
  const failed = await perMake(makes, (vins) => lookUpSome(vins, options, count));
  await perMake(failed, (vins) => lookUpSome(vins, options, count, true));
  progress.clear();
}

async function perMake(
  makes: ReadonlyMap<string, readonly string[]>,
  work: (vins: readonly string[]) => Promise<string[]>,
): Promise<Map<string, string[]>> {
  const left = await Promise.all(
    Array.from(makes, async ([make, vins]): Promise<[string, string[]]> => [make, await work(vins)]),
  );
  return new Map(left.filter(([, vins]) => vins.length > 0));
}

/** Returns the VINs that failed, or weren't asked for because too many others failed; with `isLast`, those are unknown. */
async function lookUpSome(
  vins: readonly string[],
  { journal, client, concurrency, folder, signal }: LookupOptions,
  count: () => void,
  isLast = false,
): Promise<string[]> {
  const queue = [...vins];
  const failed: string[] = [];
  let inARow = 0;
  let lastFailure: StickerCells | null = null;
  const next = async (): Promise<void> => {
    for (let vin = queue.shift(); vin !== undefined; vin = queue.shift()) {
      signal.throwIfAborted();
      if (inARow >= FAILURES_IN_A_ROW) {
        if (isLast) journal.set(vin, { ...lastFailure!, ...about(vin, client) });
        else failed.push(vin);
        continue;
      }
      const found = await lookUp(vin, client, folder, signal);
      const isUnknown = found.sticker === 'unknown';
      inARow = isUnknown ? inARow + 1 : 0;
      if (isUnknown) lastFailure = found;
      if (isUnknown && !isLast) failed.push(vin);
      else {
        journal.set(vin, found);
        count();
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, next));
  return failed;
}

function namesOf(vin: string, { label }: LabelResponse): Parameters<typeof labelCells>[1] {
  const paint = label?.exterior?.color ?? null;
  return { car: carName(loadVpic().decode(vin).vehicle, label), paint: paint && paintName(paint) };
}

const about = (vin: string, client: LookupClient): Pick<StickerCells, 'name' | 'page'> => ({
  name: carName(loadVpic().decode(vin).vehicle),
  page: client.page(vin),
});

async function lookUp(
  vin: string,
  client: LookupClient,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<StickerCells> {
  let cells: StickerCells | null = null;
  try {
    const response = await client.read(vin, { signal });
    cells = { ...labelCells(response, namesOf(vin, response)), page: client.page(vin) };
    if (folder === undefined) return cells;
    const file = labelFile(folder, vin);
    await saveLabel(vin, file, client, signal);
    return { ...cells, pdf: file };
  } catch (error) {
    signal.throwIfAborted();
    const failure = failureCells(error);
    // It was read, but its PDF couldn't be had.
    return cells ? { ...cells, reason: failure.reason } : { ...NOTHING, ...about(vin, client), ...failure };
  }
}

const UNSUPPORTED = new Set<string>(['make-not-supported', 'make-unknown', 'manufacturer-unknown']);
/** Reasons that are an answer. Others are about the moment. */
const NONE = new Set<string>(['no-label', 'withdrawn']);

/** What an error says about the sticker. Throws if no other VIN would fare better. */
function failureCells(error: unknown): Pick<StickerCells, 'sticker' | 'reason'> {
  const { status, reason, detail } = failureOf(error);
  if (status === null && reason === 'network') throw new ServiceGone(detail, { cause: error });
  if (UNSUPPORTED.has(reason)) return { sticker: 'unsupported', reason };
  return { sticker: NONE.has(reason) ? 'none' : 'unknown', reason };
}

/** What the journal knows about a VIN. A part of a VIN can be decoded, but belongs to many vehicles. */
export const cellsOf = (journal: LookupJournal, vin: string | null): StickerCells =>
  (vin !== null && isVin(vin) ? journal.get(vin) : null) ?? { ...NOTHING, reason: 'bad-vin' };
