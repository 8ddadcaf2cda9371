import type { StickerCells } from '../../tables/browser.ts';
import type { Pace, Window } from './pace.ts';

/** Looks up stickers one after another. Runs in the browser; clocks and requests are passed in. */

export interface LotCar {
  vin: string;
  make: string;
  /** Whether the service has its sticker, so that no manufacturer is asked. */
  isStored: boolean;
}

export type Outcome =
  | { kind: 'known'; cells: StickerCells }
  /** The manufacturer's server refused or failed. */
  | { kind: 'failed'; cells: StickerCells; retryAfterMs: number }
  /** Nothing is wrong with the car: ask again after this time. `isAll`: nothing else can be asked before. */
  | { kind: 'later'; retryAfterMs: number; isAll: boolean };

interface Options {
  pace: Pace;
  newStickers: Window;
  lookUp(vin: string): Promise<Outcome>;
  /** Called with each result. */
  found(vin: string, cells: StickerCells): void;
  /** Called when something begins or ends. */
  changed?(): void;
  now(): number;
  sleep(ms: number): Promise<void>;
  signal: AbortSignal;
}

/** One less than the service allows, so that the visitor can look up a car meanwhile. */
const MAX_AT_ONCE = 4;
/** So many failures in a row are the source's, not the cars'. */
const FAILURES_IN_A_ROW = 3;
/** A source that fails is asked again after this time at the latest. */
const MAX_RETRY_MS = 120_000;

interface Make {
  waiting: LotCar[];
  failed: LotCar[];
  inARow: number;
  notBefore: number;
  isLastRound: boolean;
  lastFailure: StickerCells | null;
}

/**
 * A source that fails costs its own cars only: makes take turns, and after three failures in a row the rest of a make waits until
 * the others are done. Then it is asked once more.
 */
export async function lookUpAll(cars: readonly LotCar[], options: Options): Promise<void> {
  const { pace, newStickers, now, sleep, signal } = options;
  const stored = cars.filter(({ isStored }) => isStored);
  const makes = new Map<string, Make>();
  for (const car of cars) if (!car.isStored) makeOf(car).waiting.push(car);
  let notBefore = 0;
  let newNotBefore = 0;
  const running = new Set<Promise<void>>();

  function makeOf({ make }: LotCar): Make {
    const known = makes.get(make);
    if (known) return known;
    const added = { waiting: [], failed: [], inARow: 0, notBefore: 0, isLastRound: false, lastFailure: null };
    makes.set(make, added);
    return added;
  }

  /** The next car, or milliseconds until there is one; null if none is left. */
  function next(): LotCar | number | null {
    const at = now();
    if (at < notBefore) return notBefore - at;
    const first = stored.shift();
    if (first) return first;
    const waiting = [...makes].filter(([, make]) => make.waiting.length > 0);
    const earliest = Math.max(newNotBefore, at + newStickers.waitMs());
    const ready = waiting.find(([, make]) => at >= Math.max(make.notBefore, earliest));
    if (ready) {
      const [name, make] = ready;
      // Its next turn is after the others.
      makes.delete(name);
      makes.set(name, make);
      newStickers.sent();
      return make.waiting.shift()!;
    }
    if (waiting.length > 0)
      return Math.min(...waiting.map(([, make]) => Math.max(make.notBefore, earliest) - at));
    if (running.size > 0) return null;
    return startLastRound() ? next() : null;
  }

  function startLastRound(): boolean {
    let isStarted = false;
    for (const make of makes.values()) {
      if (make.failed.length === 0 || make.isLastRound) continue;
      Object.assign(make, { waiting: make.failed, failed: [], inARow: 0, isLastRound: true });
      isStarted = true;
    }
    return isStarted;
  }

  function settle(car: LotCar, outcome: Outcome): void {
    if (outcome.kind === 'later') {
      const until = now() + outcome.retryAfterMs;
      if (outcome.isAll) notBefore = Math.max(notBefore, until);
      else newNotBefore = Math.max(newNotBefore, until);
      // Whatever was thought, it isn't stored.
      return void makeOf(car).waiting.unshift(car);
    }
    const make = makeOf(car);
    if (outcome.kind === 'known') {
      make.inARow = 0;
      return options.found(car.vin, outcome.cells);
    }
    make.inARow++;
    make.lastFailure = outcome.cells;
    make.notBefore = now() + Math.min(outcome.retryAfterMs, MAX_RETRY_MS);
    if (make.isLastRound) options.found(car.vin, outcome.cells);
    else make.failed.push(car);
    if (make.inARow >= FAILURES_IN_A_ROW) setAside(make);
    else if (!make.isLastRound) make.notBefore = 0;
  }

  function setAside(make: Make): void {
    const rest = make.waiting.splice(0);
    if (!make.isLastRound) make.failed.push(...rest);
    // What the failure says about its own car isn't true of the others.
    else for (const { vin } of rest) options.found(vin, { ...make.lastFailure!, name: null, page: null });
  }

  async function run(car: LotCar): Promise<void> {
    const outcome = await options.lookUp(car.vin);
    if (!signal.aborted) settle(car, outcome);
    options.changed?.();
  }

  while (!signal.aborted) {
    const paceMs = pace.waitMs();
    const car = running.size >= MAX_AT_ONCE || paceMs > 0 ? paceMs || null : next();
    if (car === null && running.size === 0) return;
    if (car === null || typeof car === 'number') {
      const ended = [...running];
      await Promise.race(car === null ? ended : [...ended, sleep(car)]);
      continue;
    }
    pace.sent();
    const started: Promise<void> = run(car).finally(() => running.delete(started));
    running.add(started);
  }
}
