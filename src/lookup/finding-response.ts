import type { Outcome, Source } from '../makers/maker.ts';
import { verifiedOn } from '@monroney/label/makers/index';
import type { Reading } from '@monroney/label/reading/types';
import type { HeldLabel } from '../store/store.ts';
import type { Code, Finding, LookupResult } from './finding.ts';
import {
  detailOf,
  isMakeUnknown,
  noteOf,
  warningOf,
  withdrawnNote,
  explanationOf,
  type ExplanationText,
} from './messages.ts';
import type { LabelResponse, StickerReason, VinResponse, WindowSticker } from './schemas.ts';

/**
 * The one table that turns a finding into API fields, HTTP status and cache lifetime, and the responses made from it. The
 * texts are in `messages.ts`, one row per code of this table. HTTP status, cache lifetime and availability are decided
 * here only.
 */

const ONE_DAY = 'public, max-age=86400';
const ONE_HOUR = 'public, max-age=3600';
const NO_STORE = 'no-store';

interface ApiResult {
  supported: boolean;
  available: boolean | null;
  /** Whether the response has a URL for the PDF, because requesting it may succeed. */
  pdf: boolean;
  cacheControl: string;
  /** HTTP status of a request for the PDF. Clients treat a 404 as final, so a failure is never one. */
  status: 200 | 404 | 429 | 451 | 500 | 503;
}

const notSupported = {
  supported: false,
  available: false,
  pdf: false,
  cacheControl: ONE_DAY,
  status: 404,
} as const;
const unknown = { supported: true, available: null, pdf: true, cacheControl: NO_STORE, status: 503 } as const;

const apiResults: Readonly<Record<Code, ApiResult>> = {
  available: { supported: true, available: true, pdf: true, cacheControl: ONE_DAY, status: 200 },
  'make-not-supported': notSupported,
  'manufacturer-unknown': notSupported,
  'no-label': { supported: true, available: false, pdf: false, cacheControl: ONE_HOUR, status: 404 },
  'source-off': { ...unknown, pdf: false, status: 404 },
  withdrawn: { supported: true, available: false, pdf: false, cacheControl: ONE_HOUR, status: 451 },
  'source-failed': unknown,
  'source-refused': unknown,
  'not-asked': unknown,
  'still-asking': unknown,
  busy: unknown,
  network: unknown,
  'ask-limit': { ...unknown, status: 429 },
  'store-unavailable': unknown,
  internal: { ...unknown, status: 500 },
};

const codes: Readonly<Record<Exclude<Finding['state'], 'failed'>, Code>> = {
  'no-source': 'make-not-supported',
  held: 'available',
  none: 'no-label',
  withdrawn: 'withdrawn',
  'not-asked': 'not-asked',
  off: 'source-off',
  refused: 'source-refused',
  asking: 'still-asking',
  limited: 'ask-limit',
};

/** Failures on our side: they say nothing about the source or the VIN. */
const OUR_FAILURES: Readonly<Record<string, Code>> = {
  store: 'store-unavailable',
  internal: 'internal',
  busy: 'busy',
  'workers-busy': 'busy',
  // The service stops.
  cancelled: 'busy',
  // Switched off or resting when its turn came: lookups then say so.
  unavailable: 'busy',
  'no-network': 'network',
};

/** Whether we failed, and not the source: it is neither stored as a miss nor counted against the source. */
export function isOurFailure(outcome: Outcome): outcome is Extract<Outcome, { kind: 'failed' }> {
  return outcome.kind === 'failed' && Object.hasOwn(OUR_FAILURES, outcome.why);
}

export function codeOf({ finding, decoded }: Pick<LookupResult, 'finding' | 'decoded'>): Code {
  if (finding.state === 'failed') return OUR_FAILURES[finding.why] ?? 'source-failed';
  if (finding.state === 'no-source' && decoded.vehicle === null) return 'manufacturer-unknown';
  return codes[finding.state];
}

/** Seconds until a retry makes sense; null if it doesn't. */
export function retryAfterSecondsOf(finding: Finding): number | null {
  return 'retryAfter' in finding ? finding.retryAfter : null;
}

/** The body of a lookup. */
export function vinResponse(found: LookupResult, baseUrl: string): VinResponse {
  const { vin, finding } = found;
  const code = codeOf(found);
  const { supported, available, pdf } = apiResults[code];
  const windowSticker: WindowSticker = {
    supported,
    available,
    bytes: null,
    pdf: pdf ? `${baseUrl}/api/sticker/${vin}` : null,
    page: `${baseUrl}/window-sticker/${vin}`,
    ...(found.specimen ? { sample: true } : {}),
  };
  if (finding.state === 'held') {
    const { bytes, host, paint, car } = finding.label;
    windowSticker.bytes = bytes;
    windowSticker.kind = found.source?.kind ?? 'original';
    windowSticker.sourceHost = host;
    if (paint) windowSticker.paint = paint;
    if (car?.price) windowSticker.price = car.price;
  } else {
    windowSticker.reason = code as StickerReason;
    const retryAfter = retryAfterSecondsOf(finding);
    if (retryAfter !== null) windowSticker.retryAfter = retryAfter;
    if (code === 'source-off') windowSticker.note = noteOf(found);
    if (code === 'withdrawn') windowSticker.note = withdrawnNote(found);
  }
  const { vehicle, repair: suggestedVin } = found.decoded;
  return { ok: true, vin, warning: warningOf(code, found), suggestedVin, vehicle, windowSticker };
}

/** The Cache-Control of responses about held labels. */
export const HELD_CACHE_CONTROL = apiResults.available.cacheControl;

export function cacheControl(found: LookupResult): string {
  // NHTSA may add the make any day.
  return isMakeUnknown(found) ? ONE_HOUR : apiResults[codeOf(found)].cacheControl;
}

interface StickerProblem {
  status: Exclude<ApiResult['status'], 200>;
  reason: Exclude<StickerReason, 'not-asked'>;
  detail: string;
  suggestedVin: string | null;
  /** Seconds. */
  retryAfter?: number;
}

/** Why there is no PDF to send; null when there is one. */
export function stickerProblem(found: LookupResult): StickerProblem | null {
  const code = codeOf(found);
  const { status } = apiResults[code];
  if (code === 'available' || status === 200) return null;
  const retryAfter = retryAfterSecondsOf(found.finding);
  const told = { detail: detailOf(code, found), suggestedVin: found.decoded.repair };
  // Requesting the PDF asks the source. That it wasn't asked means that it became available just now.
  if (code === 'not-asked') return { status, reason: 'still-asking', ...told, retryAfter: 1 };
  return { status, reason: code, ...told, ...(retryAfter === null ? {} : { retryAfter }) };
}

/** Codes that are their own reason. All others mean `try-again`. */
const OWN_REASONS = [
  'available',
  'make-not-supported',
  'manufacturer-unknown',
  'no-label',
  'source-off',
  'withdrawn',
  'not-asked',
] as const;

/** Why a VIN has no label to show and what to do next, for people. Used by pages and tools. */
interface Explanation extends Omit<ExplanationText, 'case'> {
  reason: (typeof OWN_REASONS)[number] | 'make-unknown' | 'try-again';
  /** Seconds; null if a retry doesn't help. */
  retryAfter: number | null;
}

export function explain(found: LookupResult): Explanation {
  const code = codeOf(found);
  const { headline, explanation, nextSteps, case: specialCase } = explanationOf(code, found);
  return {
    reason: specialCase ?? OWN_REASONS.find((reason) => reason === code) ?? 'try-again',
    headline,
    explanation,
    nextSteps,
    retryAfter: retryAfterSecondsOf(found.finding),
  };
}

/** The reading as an API response; without `text` when `lines` is null. */
export function labelResponse(held: HeldLabel, reading: Reading, lines: string[][] | null): LabelResponse {
  return {
    ok: true,
    vin: held.vin,
    ...(held.source === 'specimen' ? { sample: true } : {}),
    readable: reading.readable,
    reason: reading.reason,
    label: reading.label,
    proof: reading.proof,
    provenance: {
      source: held.source,
      host: held.host,
      fetched: new Date(held.fetched).toISOString(),
      bytes: held.bytes,
      sha256: held.sha256,
      reader: reading.reader,
      verifiedOn: verifiedOn(held.make),
    },
    ...(lines === null ? {} : { text: lines }),
  };
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long an outcome without a label is stored, in milliseconds. */
export function missTtlMs(
  outcome: Exclude<Outcome, { kind: 'label' }>,
  source: Source,
  modelYear: number | null,
  now: number,
): number {
  if (outcome.kind === 'none') {
    // A car of this or last year may still get its label; an older one probably won't.
    const isRecent = modelYear === null || modelYear >= new Date(now).getUTCFullYear() - 1;
    return (isRecent ? source.noneHours.recent : source.noneHours.older) * HOUR_MS;
  }
  const defaultMs = outcome.kind === 'refused' ? 2 * MINUTE_MS : 30 * SECOND_MS;
  // A source may ask us to wait longer, but not for more than an hour.
  return Math.min(Math.max(outcome.retryAfterMs ?? defaultMs, defaultMs), HOUR_MS);
}
