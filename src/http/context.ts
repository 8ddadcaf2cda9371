import type { Decoder } from '@monroney/vin';
import { type Log, createFailureLog } from '../lib/log.ts';
import type { LongWork } from '../lib/long-work.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Lookup } from '../lookup/lookup.ts';
import type { Outages } from '../lookup/outcomes.ts';
import type { Store } from '../store/store.ts';
import { createResponseCache, type ResponseCache } from './cache.ts';
import type { Drain } from './connections.ts';
import type { HeaderSets } from './response.ts';

/** The methods of the lookup that the HTTP handlers use. */
export type LabelLookup = Pick<Lookup, 'decode' | 'find' | 'pdf' | 'lines' | 'reading' | 'preview'> &
  Partial<Pick<Lookup, 'switches'>>;

/** What the API depends on. */
export interface ApiDependencies {
  lookup: LabelLookup;
  store: Pick<Store, 'ready'> & Partial<Pick<Store, 'onReplaced'>>;
  log: Log;
  metrics: Metrics;
  pdfCacheBytes: number;
  /** Release month of the vPIC data, `2026-10`. */
  month: string;
  /** The vPIC data, for NHTSA's own routes. */
  vpic: Pick<Decoder, 'values' | 'variables' | 'wmi' | 'makes' | 'modelsInParts' | 'lists'>;
  /** Failures of our own, for `/readyz`. */
  outages?: Pick<Outages, 'networkDownSince'>;
  /** For batches and lists. */
  longWork: LongWork;
  /** Monotonic: setting the wall clock must not change how long cached responses stay fresh. */
  now(): number;
}

/** The dependencies, and what the handlers share. */
export interface HttpContext extends ApiDependencies {
  baseUrl: string;
  headerSets: HeaderSets;
  cache: ResponseCache;
  drain: Pick<Drain, 'hasBegun'>;
  /** Logs a change of readiness. Null means ready; otherwise the error. */
  reportReadiness(error: string | null): void;
}

export function createHttpContext(
  dependencies: ApiDependencies,
  { baseUrl, headerSets, drain }: Pick<HttpContext, 'baseUrl' | 'headerSets' | 'drain'>,
): HttpContext {
  const { lookup, store, log } = dependencies;
  const cache = createResponseCache({
    ...dependencies,
    headerSets,
    readPdf: (label) => lookup.pdf(label),
  });
  store.onReplaced?.((vin) => cache.drop(vin));
  lookup.switches?.onWithheldChange(() => cache.drop(null));
  return {
    ...dependencies,
    baseUrl,
    headerSets,
    cache,
    drain,
    reportReadiness: createFailureLog(log, 'not ready', 'ready again'),
  };
}
