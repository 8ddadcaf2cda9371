import type { Vpic } from '@monroney/vin';
import type { Lifecycle } from '../store/contact-store.ts';
import { type Log, createFailureLog } from '../lib/log.ts';
import { createMetrics, type Metrics } from '../lib/metrics.ts';
import type { Traces } from '../lib/traces.ts';
import { createTurns, type Turns } from '../lib/turns.ts';
import type { Lookup } from '../lookup/lookup.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Store } from '../store/store.ts';
import type { Limiter } from './limit.ts';
import type { PageLimit } from './page-limit.ts';
import { createClientIpOf, type ClientIpOf } from './client-ip.ts';
import { createLabelCache, type LabelCache } from './label-cache.ts';
import { createResponseCache, type ResponseCache } from './response-cache.ts';
import { createHeaders, type HeaderSets } from './headers.ts';
import { createPdfCache, type PdfCache } from './pdf-cache.ts';
import type { ApiRequest, ApiResponse, Document } from './response.ts';

/** The methods of the lookup that the HTTP handlers use. */
export type LabelLookup = Pick<Lookup, 'find' | 'pdf' | 'pdfStream' | 'lines' | 'reading' | 'preview'>;

export interface HttpDependencies {
  lookup: LabelLookup;
  store: Pick<Store, 'cachedResponse' | 'cacheResponse' | 'ready'> & Partial<Pick<Store, 'onReplaced'>>;
  /** Null when limits are off. */
  limiter: Limiter | null;
  pageLimit: PageLimit | null;
  log: Log;
  metrics?: Metrics;
  /** Called for each finished request when traces are on. */
  endRequestSpan?: Traces['endRequestSpan'];
  baseUrl: string;
  trustedProxies: readonly string[];
  /** Identifies the data month, reader versions and base URL. Cached responses of another version are ignored. */
  cacheVersion: string;
  pdfCacheBytes: number;
  /** Release month of the vPIC data, `2026-10`. */
  month: string;
  /** The vPIC data, for NHTSA's own routes. */
  vpic: Pick<Vpic, 'values' | 'variables' | 'wmi' | 'makes' | 'models'>;
  /** Machine-readable documents by path, such as `/openapi.json`. */
  documents: ReadonlyMap<string, () => MaybePromise<Document>>;
  /** Records the contact that a client sent, valid or not. Never throws or blocks. */
  noteContact(raw: string | undefined, route: string, client: string): void;
  /** The announced change of a route that is in force now. */
  lifecycle(route: string): Lifecycle | null;
  /** Template of a path that the fallback handles, for the log: `/window-sticker/{vin}`. */
  routeOf(path: string): string;
  now(): number;
}

/** The dependencies, and what the handlers share. */
export interface HttpContext extends HttpDependencies {
  metrics: Metrics;
  headerSets: HeaderSets;
  responseCache: ResponseCache;
  labelCache: LabelCache;
  pdfCache: PdfCache;
  clientIpOf: ClientIpOf;
  /** Await it before each piece of a batch: one piece runs per turn of the event loop. */
  turn(): Promise<void>;
  /** The same for NHTSA's lists, which take longer. */
  lists: Turns;
  /** Logs a change of readiness. Null means ready; otherwise the error. */
  reportReadiness(error: string | null): void;
}

/** An operation under `/api/` or `/vpic/`, which are rate limited. */
export interface ApiRoute {
  template: string;
  method: 'GET' | 'POST';
  /** The VIN in the path as sent, valid or not. */
  segment: string | undefined;
  handle(request: ApiRequest, context: HttpContext): MaybePromise<ApiResponse>;
}

export function createHttpContext(dependencies: HttpDependencies): HttpContext {
  const { metrics = createMetrics(), baseUrl, lookup, store, log } = dependencies;
  const headerSets = createHeaders(baseUrl);
  const responseCache = createResponseCache({ ...dependencies, metrics, headerSets });
  const labelCache = createLabelCache({ ...dependencies, headerSets });
  store.onReplaced?.((vin) => {
    responseCache.drop(vin);
    labelCache.drop(vin);
  });
  return {
    ...dependencies,
    metrics,
    headerSets,
    responseCache,
    labelCache,
    pdfCache: createPdfCache({
      read: (label, allocate) => lookup.pdf(label, allocate),
      maxBytes: dependencies.pdfCacheBytes,
      metrics,
    }),
    clientIpOf: createClientIpOf(dependencies.trustedProxies),
    turn: createTurns().next,
    lists: createTurns(),
    reportReadiness: createFailureLog(log, 'not ready', 'ready again'),
  };
}
