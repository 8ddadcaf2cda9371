import { HELD_CACHE_CONTROL } from '../lookup/outcomes.ts';
import type { Log } from '../lib/log.ts';
import { andThen, type MaybePromise } from '../lib/maybe-promise.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { KeptAnswer, Store } from '../store/store.ts';
import { inOnePiece, type Head } from './head.ts';
import { linesOfBody, type HeaderSets } from './headers.ts';
import type { Validators } from './response.ts';
import { createSeenFilter } from '../lib/seen-filter.ts';
import { createRecentCache } from '../lib/recent-cache.ts';

/** A lookup of a held label, ready to send. */
export interface Finished extends Validators {
  body: string;
  /** The lines it has for itself; `headOf` puts what all have before them. */
  own: Head;
  /** When it is read from the store again: another process may have read the label anew. */
  until: number;
}

/**
 * Finished lookups. Only those of held labels, which nothing that passes can change; in memory for the VINs asked
 * for last, and in the store under the versions that made them.
 */
export interface Answers {
  /** What is in memory, if `vin` is in exactly the form it was kept under. */
  recent(vin: string): Finished | undefined;
  find(vin: string): MaybePromise<Finished | null>;
  headOf(finished: Finished): Head;
  /** Forgets what is in memory of one VIN, or of all. */
  drop(vin: string | null): void;
  /** `lasting`: also in the store. */
  keep(vin: string, body: string, etag: string, lasting: boolean): Finished;
}

const MOST = 8192;
const FRESH_MS = 600_000;

export function createAnswers(parts: {
  store: Pick<Store, 'answer' | 'keepAnswer'>;
  version: string;
  sets: HeaderSets;
  log: Log;
  metrics: Pick<Metrics, 'counter'>;
  now(): number;
}): Answers {
  const { store, version, sets } = parts;
  const memory = createRecentCache<Finished>(MOST);
  const seen = createSeenFilter(2 * MOST);
  const counter = (result: string) =>
    parts.metrics.counter('monroney_cache_requests_total', { cache: 'answer', result });
  const [hits, misses] = [counter('hit'), counter('miss')];
  const common = inOnePiece(sets.jsonCommon(HELD_CACHE_CONTROL));

  function finish(body: string, etag: string): Finished {
    // Most are never asked for with a condition.
    let unchanged: Head | undefined;
    return {
      body,
      etag,
      modified: null,
      own: linesOfBody(body, etag),
      unchanged: () => (unchanged ??= inOnePiece(sets.notModified(etag, HELD_CACHE_CONTROL, null))),
      until: parts.now() + FRESH_MS,
    };
  }

  function remember(vin: string, finished: Finished): Finished {
    memory.set(vin, finished);
    return finished;
  }

  function recent(vin: string): Finished | undefined {
    const known = memory.get(vin);
    if (known === undefined) return undefined;
    if (parts.now() < known.until) {
      hits.value++;
      return known;
    }
    memory.delete(vin);
    return undefined;
  }

  /** One that is read at once is remembered when it is asked for again: most are not, and memory would only pass them on. */
  function fromStore(vin: string, kept: KeptAnswer | null, wanted: boolean): Finished | null {
    if (kept?.version !== version) return null;
    const finished = finish(kept.body, kept.etag);
    return wanted ? remember(vin, finished) : finished;
  }

  /** A response that cannot be read or kept is made anew; the store's trouble is told elsewhere. */
  const withoutStore = (error: unknown) => {
    parts.log.debug('kept answers unavailable', { error: String(error) });
    return null;
  };

  return {
    recent,
    headOf: ({ own }) => common + own,
    find(vin) {
      const known = recent(vin);
      if (known) return known;
      misses.value++;
      try {
        const kept = store.answer(vin);
        if (kept instanceof Promise)
          return kept.then((response) => fromStore(vin, response, true)).catch(withoutStore);
        return fromStore(vin, kept, seen(vin));
      } catch (error) {
        return withoutStore(error);
      }
    },
    drop: (vin) => (vin === null ? memory.clear() : memory.delete(vin)),
    keep(vin, body, etag, lasting) {
      if (lasting) {
        try {
          const kept = andThen(store.keepAnswer(vin, { body, etag, version }), () => null);
          if (kept instanceof Promise) kept.catch(withoutStore);
        } catch (error) {
          withoutStore(error);
        }
      }
      return remember(vin, finish(body, etag));
    },
  };
}
