import { openFetch, type Fetch, type FetchOptions } from './fetch.ts';
import { inMemorySingleFlight, type SingleFlight } from '../lib/single-flight.ts';
import { openHosts, type Hosts, type HostsOptions } from './hosts.ts';

/** Everything needed to send requests to label sources politely. */
export interface Net {
  readonly fetch: Fetch;
  /** Timeout of one attempt, from the DNS lookup to the last byte, if another URL or source can be tried after it. */
  readonly attemptMs: number;
  /** Timeout of everything for one VIN: queueing, retries and checking the file. Real clients give up after 25 seconds. */
  readonly totalMs: number;
  /** Backoff before the first retry; doubles with each retry. */
  readonly backoffMs: number;
  readonly hosts: Hosts;
  readonly singleFlight: SingleFlight;
  /** The clock of all timeouts. Doesn't jump when the wall clock is set. */
  now(): number;
  close(): void;
}

export interface NetOptions extends FetchOptions {
  /** Multiplies the timeouts. */
  timeoutFactor?: number | undefined;
  hosts?: HostsOptions;
  /** Shared by several processes; in memory by default. */
  singleFlight?: SingleFlight;
  now?: () => number;
}

export function openNet(options: NetOptions): Net {
  const { timeoutFactor = 1 } = options;
  const fetch = openFetch(options);
  const now = options.now ?? (() => performance.now());
  return {
    fetch,
    attemptMs: 10_000 * timeoutFactor,
    totalMs: 20_000 * timeoutFactor,
    backoffMs: 400,
    hosts: openHosts({ now, ...options.hosts }),
    singleFlight: options.singleFlight ?? inMemorySingleFlight(),
    now,
    close: () => fetch.close(),
  };
}
