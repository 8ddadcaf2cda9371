import type { Vpic } from '@monroney/vin';
import type { Lifecycle } from '../store/contact-store.ts';
import type { Log } from '../lib/log.ts';
import { changesOf } from '../lib/changes.ts';
import { createMetrics, type Metrics } from '../lib/metrics.ts';
import type { Traces } from '../lib/traces.ts';
import type { Lookup } from '../lookup/find.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Store } from '../store/store.ts';
import type { Limiter } from './limit.ts';
import type { PageLimit } from './page-limit.ts';
import { createAddressOf, type AddressOf } from './address.ts';
import { createAnswers, type Answers } from './answers.ts';
import { createHeaders, type HeaderSets } from './headers.ts';
import { createPdfCache, type PdfCache } from './pdf-cache.ts';
import { createHeldFiles, type HeldFiles } from './held-files.ts';
import type { Document } from './response.ts';

/** The part of the flow that this front uses. */
export type LabelLookup = Pick<Lookup, 'find' | 'pdf' | 'pdfStream' | 'lines' | 'reading' | 'preview'>;

/** What this front is given. */
export interface HttpParts {
  lookup: LabelLookup;
  store: Pick<Store, 'answer' | 'keepAnswer' | 'ready'> & Partial<Pick<Store, 'onReplaced'>>;
  /** Null where limits are off. */
  limiter: Limiter | null;
  pageLimit: PageLimit | null;
  log: Log;
  metrics?: Metrics;
  /** Hears of each answered request, where traces are on. */
  traced?: Traces['answered'];
  baseUrl: string;
  trustedProxies: readonly string[];
  /** Data month, reader versions and base address: a kept response of another version is made anew. */
  answerVersion: string;
  pdfCacheBytes: number;
  /** Release month of the vPIC data, `2026-10`. */
  month: string;
  /** The data itself, for NHTSA's own routes. */
  vpic: Pick<Vpic, 'values' | 'variables' | 'wmi' | 'makes' | 'models'>;
  /** Machine-readable documents by path, such as `/openapi.json`. */
  documents: ReadonlyMap<string, () => MaybePromise<Document>>;
  /** Takes what a caller sent, valid or not; never throws, never waits. */
  noteContact(raw: string | undefined, route: string, client: string): void;
  /** An announced change of a route that is in force now. */
  lifecycle(route: string): Lifecycle | null;
  /** Template of a path that this front does not answer itself, for the log: `/window-sticker/{vin}`. */
  routeOf(path: string): string;
  now(): number;
}

/** The same, with what the handlers share. */
export interface Front extends HttpParts {
  metrics: Metrics;
  sets: HeaderSets;
  answers: Answers;
  held: HeldFiles;
  pdfs: PdfCache;
  addressOf: AddressOf;
  /** Hears each time whether the service is ready (null) or what keeps it from being so. */
  readiness(error: string | null): void;
}

export function createFront(parts: HttpParts): Front {
  const { metrics = createMetrics() } = parts;
  const sets = createHeaders(parts.baseUrl);
  const answers = createAnswers({ ...parts, metrics, version: parts.answerVersion, sets });
  const held = createHeldFiles({ ...parts, sets });
  parts.store.onReplaced?.((vin) => {
    answers.drop(vin);
    held.drop(vin);
  });
  return {
    ...parts,
    metrics,
    sets,
    answers,
    held,
    pdfs: createPdfCache({
      read: (label, allocate) => parts.lookup.pdf(label, allocate),
      most: parts.pdfCacheBytes,
      metrics,
    }),
    addressOf: createAddressOf(parts.trustedProxies),
    readiness: changesOf(parts.log, 'not ready', 'ready again'),
  };
}
