import { createApi, MAX_BATCH } from './api.ts';
import { carsOf } from './list.ts';
import { lookUpAll } from './lookups.ts';
import { createNewStickers, createPace, type Times } from './pace.ts';
import { isMistyped } from './results.ts';
import type { Lot } from './saved.ts';

/** Decodes a list and looks up its stickers. Runs in the browser; clocks and requests are passed in. */

interface Dependencies {
  origin: string;
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

/** A batch that fails is tried again after this time. */
const RETRY_MS = 5000;

/** One for all lists, because the limit is one for all. */
export function createWork({ origin, fetch, now, sleep, kept }: Dependencies) {
  const pace = createPace(now, kept?.('requests'));
  const newStickers = createNewStickers(now, kept?.('new'));
  const api = createApi({ origin, pace, fetch });

  async function decodeAll({ list, results }: Lot, { signal, changed }: WorkOptions): Promise<void> {
    const vins = [...carsOf(list).keys()].filter((vin) => !results.has(vin));
    while (vins.length > 0 && !signal.aborted) {
      const waitMs = pace.waitMs();
      if (waitMs > 0) {
        await sleep(waitMs);
        continue;
      }
      pace.sent();
      const batch = vins.slice(0, MAX_BATCH);
      const decoded = await api.decode(batch);
      if (signal.aborted) return;
      if (decoded === null) {
        await sleep(Math.max(RETRY_MS, pace.waitMs()));
        continue;
      }
      vins.splice(0, batch.length);
      for (const [vin, found] of decoded) results.set(vin, { decoded: found, cells: found.cells });
      changed(batch);
    }
  }

  /** Continues with what is unknown. Ends when all is known, or at the signal. */
  return async (lot: Lot, options: WorkOptions): Promise<void> => {
    const { signal, changed } = options;
    await decodeAll(lot, options);
    const open = [...lot.results].filter(
      ([vin, { cells, decoded }]) => cells === null && (decoded.isStored || !isMistyped(vin)),
    );
    await lookUpAll(
      open.map(([vin, { decoded }]) => ({ vin, make: decoded.make, isStored: decoded.isStored })),
      {
        pace,
        newStickers,
        now,
        sleep,
        signal,
        lookUp: (vin) => api.lookUp(vin, lot.results.get(vin)!.decoded),
        found(vin, cells) {
          const { decoded } = lot.results.get(vin)!;
          lot.results.set(vin, {
            decoded,
            cells: { ...cells, name: cells.name ?? decoded.name, page: `${origin}/window-sticker/${vin}` },
          });
          changed([vin]);
        },
      },
    );
  };
}
