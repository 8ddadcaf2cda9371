import { inMemoryBreaker, type Breaker } from './breaker.ts';
import { openFetch, type Fetch, type FetchOptions } from './fetch.ts';
import { inMemorySingleFlight, type SingleFlight } from '../lib/single-flight.ts';
import { inMemoryPace, type Pace } from './pace.ts';
import { fairTurns, type Turns } from './turns.ts';

/** Everything needed to ask somebody else's host politely. */
export interface Net {
  readonly fetch: Fetch;
  /** Budget of one try, from the name look-up to the last byte. */
  readonly tryMs: number;
  /** Budget of all tries, all waiting and checking the file for one VIN: real clients give up after 25 seconds. */
  readonly wholeMs: number;
  /** The first pause before a retry; each next one is twice as long. */
  readonly backOffMs: number;
  readonly turns: Turns;
  readonly breaker: Breaker;
  readonly singleFlight: SingleFlight;
  close(): void;
}

export interface NetOptions extends FetchOptions {
  tryMs?: number;
  wholeMs?: number;
  backOffMs?: number;
  /** Milliseconds between two requests to one host. */
  paceMs?: number;
  /** What several processes share, where they do; this process's own memory otherwise. */
  pace?: Pace;
  breaker?: Breaker;
  singleFlight?: SingleFlight;
}

export function openNet(options: NetOptions): Net {
  const fetch = openFetch(options);
  return {
    fetch,
    tryMs: options.tryMs ?? 10_000,
    wholeMs: options.wholeMs ?? 20_000,
    backOffMs: options.backOffMs ?? 400,
    turns: fairTurns(options.pace ?? inMemoryPace({ everyMs: options.paceMs }), { everyMs: options.paceMs }),
    breaker: options.breaker ?? inMemoryBreaker(),
    singleFlight: options.singleFlight ?? inMemorySingleFlight(),
    close: () => fetch.close(),
  };
}
