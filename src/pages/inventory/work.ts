import { createClient, MonroneyError, type BatchResult } from '@monroney/client';
import { carName } from '@monroney/label/lib/names';
import { paintName } from '@monroney/label/lib/option-names';
import { labelCells, NOTHING, type StickerCells } from '../../tables/browser.ts';
import { carsOf } from './list.ts';
import { lookUpAll, type LotCar, type Outcome } from './lookups.ts';
import { createNewStickers, createPace, type Times, type Window } from './pace.ts';
import { isMistyped, type Decoded, type Found } from './results.ts';
import type { Lot } from './saved.ts';

/** Decodes a list and looks up its stickers. Runs in the browser; clocks and requests are passed in. */

interface Dependencies {
  /** Where requests go. */
  origin: string;
  /** The public URL, for links. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  now(): number;
  sleep(ms: number): Promise<void>;
  /** In this browser, so that the limits hold over several loads of the page. */
  kept?(name: 'requests' | 'new'): Times;
}

interface WorkOptions {
  signal: AbortSignal;
  /** Called when something about these cars is new. */
  changed(vins: readonly string[]): void;
}

/** The service's maximum per request. */
const MAX_BATCH = 50;
/** What the service can't answer now is tried again after this time. */
const RETRY_MS = 10_000;
/** The client waits as long as the service asks it to. The visitor can pause or leave. */
const BUDGET_MS = 24 * 3_600_000;

/** One for all lists, because the limit is one for all. */
export function createWork({ origin, baseUrl, fetch, now, sleep, kept }: Dependencies) {
  const pace = createPace(now, kept?.('requests'));
  const newStickers = createNewStickers(now, kept?.('new'));

  /** Waits until all of them let a request pass, and counts it. */
  async function turn(windows: readonly Window[], signal: AbortSignal): Promise<void> {
    const waitMs = () => Math.max(...windows.map((window) => window.waitMs()));
    for (let ms = waitMs(); ms > 0; ms = waitMs()) {
      await sleep(ms);
      signal.throwIfAborted();
    }
    for (const window of windows) window.sent();
  }

  const clientWithin = (...windows: Window[]) =>
    createClient({
      baseUrl: origin,
      budgetMs: BUDGET_MS,
      requests: 0,
      async fetch(input, init) {
        await turn(windows, init!.signal!);
        const response = await fetch(input, init).catch((error: unknown) => {
          pace.block(RETRY_MS);
          throw error;
        });
        pace.observe(response);
        return response;
      },
    });
  const client = clientWithin(pace);
  const newStickersClient = clientWithin(pace, newStickers);
  const pageOf = (vin: string) => `${baseUrl}/window-sticker/${vin}`;

  /** Again and again, until there is an answer of the service. */
  async function persistently<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T | MonroneyError> {
    for (;;)
      try {
        return await request();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof MonroneyError)) throw error;
        if (error.reason !== 'network' && error.reason !== 'timeout') return error;
      }
  }

  async function decodeAll({ list, results }: Lot, { signal, changed }: WorkOptions): Promise<void> {
    const vins = [...carsOf(list).keys()].filter((vin) => !results.has(vin));
    while (vins.length > 0) {
      const batch = vins.slice(0, MAX_BATCH);
      const decoded = await persistently(signal, () => client.decode(batch, { signal }));
      signal.throwIfAborted();
      if (decoded instanceof MonroneyError) {
        await sleep(RETRY_MS);
        continue;
      }
      vins.splice(0, batch.length);
      for (const result of decoded) results.set(result.vin, foundOf(result, pageOf(result.vin)));
      changed(batch);
    }
  }

  async function lookUp(
    { vin, isStored }: LotCar,
    { vehicle, name }: Decoded,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { label } = isStored ? client : newStickersClient;
    const response = await persistently(signal, () => label(vin, { signal }));
    if (response instanceof MonroneyError)
      return outcomeOf(response, { ...NOTHING, name, page: pageOf(vin) });
    const paint = response.label?.exterior?.color;
    const names = { car: carName(vehicle ?? null, response.label), paint: paint ? paintName(paint) : null };
    return { cells: { ...labelCells(response, names), page: pageOf(vin) } };
  }

  /** Continues with what is unknown. Ends when all is known, or at the signal. */
  return async (lot: Lot, options: WorkOptions): Promise<void> => {
    const { signal, changed } = options;
    const { results } = lot;
    try {
      await decodeAll(lot, options);
      const open = [...results].filter(
        ([vin, { cells, decoded }]) => cells === null && (decoded.isStored || !isMistyped(vin)),
      );
      await lookUpAll(
        open.map(([vin, { decoded }]) => ({ vin, make: decoded.make, isStored: decoded.isStored })),
        {
          sleep,
          signal,
          lookUp: (car) => lookUp(car, results.get(car.vin)!.decoded, signal),
          found(vin, cells) {
            const { decoded } = results.get(vin)!;
            results.set(vin, {
              decoded,
              cells: { ...cells, name: cells.name ?? decoded.name, page: pageOf(vin) },
            });
            changed([vin]);
          },
        },
      );
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}

/** What the VIN says about a car, and about its sticker without a lookup. */
function foundOf(result: BatchResult, page: string): Found {
  const { vehicle = null, windowSticker, warning = null, suggestedVin } = result;
  const name = vehicle && carName(vehicle);
  const reason = windowSticker?.available === false ? windowSticker.reason : null;
  const outcome = reason ? outcomeOf({ reason, retryAfter: null }, { ...NOTHING, name, page }) : null;
  return {
    decoded: {
      vehicle,
      name,
      make: vehicle?.make ?? '',
      warning,
      suggested: suggestedVin,
      isStored: windowSticker?.available === true,
    },
    cells: outcome && outcome.retryAfterMs === undefined ? outcome.cells : null,
  };
}

const UNSUPPORTED = new Set(['make-not-supported', 'make-unknown', 'manufacturer-unknown']);
/** Reasons that are an answer. Others are about the moment. */
const NONE = new Set(['no-label', 'withdrawn']);
/** Asking again doesn't change them. */
const FINAL = new Set(['source-off', 'bad-vin']);

function outcomeOf(
  { reason, retryAfter }: { reason: string; retryAfter: number | null },
  cells: StickerCells,
): Outcome {
  if (UNSUPPORTED.has(reason)) return { cells: { ...cells, sticker: 'unsupported', reason } };
  if (NONE.has(reason)) return { cells: { ...cells, sticker: 'none', reason } };
  const unknown = { ...cells, sticker: 'unknown', reason };
  if (FINAL.has(reason)) return { cells: unknown };
  return { cells: unknown, retryAfterMs: retryAfter === null ? RETRY_MS : retryAfter * 1000 };
}
