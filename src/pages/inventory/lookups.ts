import type { StickerCells } from '../../tables/browser.ts';

/** The order in which stickers are looked up. Runs in the browser; clocks and requests are passed in. */

export interface LotCar {
  vin: string;
  make: string;
  /** Whether the service has its sticker, so that no manufacturer is asked. */
  isStored: boolean;
}

export interface Outcome {
  cells: StickerCells;
  /** If the manufacturer's server refused or failed: when it may be asked again. */
  retryAfterMs?: number;
}

interface Options {
  lookUp(car: LotCar): Promise<Outcome>;
  /** Called with each result. */
  found(vin: string, cells: StickerCells): void;
  sleep(ms: number): Promise<void>;
  signal: AbortSignal;
}

/** One less than the service allows, so that the visitor can look up a car meanwhile. */
const MAX_AT_ONCE = 4;
/** So many failures in a row are the source's, not the cars'. */
const FAILURES_IN_A_ROW = 3;
/** A source that fails is asked again after this time at the latest. */
const MAX_RETRY_MS = 120_000;

/**
 * A source that fails costs its own cars only: makes take turns, and after three failures in a row the rest of a make waits until
 * the others are done. Then it is asked once more. Rejects when the signal is aborted.
 */
export async function lookUpAll(cars: readonly LotCar[], options: Options): Promise<void> {
  const { sleep, signal } = options;
  const stored = cars.filter(({ isStored }) => isStored);
  const others = cars.filter(({ isStored }) => !isStored);
  const { failed, retryAfterMs } = await lookUpOnce([...stored, ...inTurns(others)], options, false);
  if (failed.length === 0) return;
  await sleep(Math.min(retryAfterMs, MAX_RETRY_MS));
  signal.throwIfAborted();
  await lookUpOnce(inTurns(failed), options, true);
}

/** One car of each make, then the next of each. */
function inTurns(cars: readonly LotCar[]): LotCar[] {
  const makes = [...Map.groupBy(cars, ({ make }) => make).values()];
  const longest = Math.max(0, ...makes.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) =>
    makes.flatMap((all) => all.slice(turn, turn + 1)),
  ).flat();
}

/** Returns the cars whose lookup failed, or was left out because others failed; with `isLast`, those are unknown. */
async function lookUpOnce(queue: LotCar[], options: Options, isLast: boolean) {
  const { lookUp, found, signal } = options;
  const failed: LotCar[] = [];
  const failures = new Map<string, { inARow: number; last: StickerCells }>();
  let longestMs = 0;

  async function lookUpNext(car: LotCar): Promise<void> {
    const earlier = failures.get(car.make);
    if (earlier && earlier.inARow >= FAILURES_IN_A_ROW) {
      // What the failure says about its own car isn't true of the others.
      if (isLast) found(car.vin, { ...earlier.last, name: null, page: null });
      else failed.push(car);
      return;
    }
    const { cells, retryAfterMs } = await lookUp(car);
    signal.throwIfAborted();
    if (retryAfterMs === undefined) failures.delete(car.make);
    else {
      failures.set(car.make, { inARow: (failures.get(car.make)?.inARow ?? 0) + 1, last: cells });
      longestMs = Math.max(longestMs, retryAfterMs);
    }
    if (retryAfterMs === undefined || isLast) found(car.vin, cells);
    // Whatever was thought, it isn't stored.
    else failed.push({ ...car, isStored: false });
  }

  async function work(): Promise<void> {
    for (let car = queue.shift(); car; car = queue.shift()) await lookUpNext(car);
  }

  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  return { failed, retryAfterMs: longestMs };
}
