import { isMakeUnknown, type Code, type Finding, type LookupResult } from './finding.ts';
import { detailOf, noteOf, warningOf, withdrawnNote } from './messages.ts';
import type { StickerReason, VinResponse, WindowSticker } from './schemas.ts';
import type { Outcome, Source } from '../makers/maker.ts';

/**
 * The one table that turns what we found into what the API says and for how long others may keep it. The sentences are
 * in `messages.ts`, one row per code of this table; no other file tells findings apart.
 */

const DAY = 'public, max-age=86400';
const HOUR = 'public, max-age=3600';
const NEVER = 'no-store';

interface Says {
  supported: boolean;
  available: boolean | null;
  /** Whether requesting the PDF can lead anywhere. */
  pdf: boolean;
  cacheControl: string;
  /** HTTP status of a request for the PDF. Clients store a 404 as the truth, so a failure is never one. */
  status: 200 | 404 | 429 | 451 | 500 | 503;
}

const unknown = { supported: true, available: null, pdf: true, cacheControl: NEVER, status: 503 } as const;

const says: Readonly<Record<Code, Says>> = {
  available: { supported: true, available: true, pdf: true, cacheControl: DAY, status: 200 },
  'make-not-supported': { supported: false, available: false, pdf: false, cacheControl: DAY, status: 404 },
  'no-label': { supported: true, available: false, pdf: false, cacheControl: HOUR, status: 404 },
  'source-off': { ...unknown, pdf: false, status: 404 },
  withdrawn: { supported: true, available: false, pdf: false, cacheControl: HOUR, status: 451 },
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
  unasked: 'not-asked',
  off: 'source-off',
  refused: 'source-refused',
  asking: 'still-asking',
  limited: 'ask-limit',
};

/** Failures that are ours and not the source's. */
const OURS: Readonly<Record<string, Code>> = {
  store: 'store-unavailable',
  internal: 'internal',
  busy: 'busy',
  'workers-busy': 'busy',
  'no-network': 'network',
};

export function codeOf(finding: Finding): Code {
  return finding.state === 'failed' ? (OURS[finding.why] ?? 'source-failed') : codes[finding.state];
}

/** Seconds after which asking again makes sense; null where it does not. */
export function retryAfterOf(finding: Finding): number | null {
  return 'retryAfter' in finding ? finding.retryAfter : null;
}

/** The body of a lookup. */
export function vinResponse(found: LookupResult, baseUrl: string): VinResponse {
  const { vin, finding } = found;
  const code = codeOf(finding);
  const { supported, available, pdf } = says[code];
  const windowSticker: WindowSticker = {
    supported,
    available,
    bytes: null,
    pdf: pdf ? `${baseUrl}/api/sticker/${vin}` : null,
    page: `${baseUrl}/window-sticker/${vin}`,
  };
  if (finding.state === 'held') {
    const { bytes, host, paint } = finding.label;
    windowSticker.bytes = bytes;
    windowSticker.kind = stickerKind(found);
    windowSticker.sourceHost = host;
    if (paint) windowSticker.paint = paint;
  } else {
    windowSticker.reason = code as StickerReason;
    const retryAfter = retryAfterOf(finding);
    if (retryAfter !== null) windowSticker.retryAfter = retryAfter;
    if (code === 'source-off') windowSticker.note = noteOf(found);
    if (code === 'withdrawn') windowSticker.note = withdrawnNote(found);
  }
  return { ok: true, vin, warning: warningOf(code, found), vehicle: found.decoded.vehicle, windowSticker };
}

/** Whether a held label is the manufacturer's own file or a dealer platform's copy. */
export function stickerKind({ source }: Pick<LookupResult, 'source'>): 'original' | 'dealer-copy' {
  return source?.thirdParty ? 'dealer-copy' : 'original';
}

/** Of every answer about a held label. */
export const HELD_CACHE_CONTROL = says.available.cacheControl;

export function cacheControl(found: LookupResult): string {
  // What NHTSA does not know of a car today, it may next month, or tomorrow.
  return isMakeUnknown(found) ? HOUR : says[codeOf(found.finding)].cacheControl;
}

export interface StickerProblem {
  status: Exclude<Says['status'], 200>;
  reason: Exclude<StickerReason, 'not-asked'>;
  detail: string;
  /** Seconds. */
  retryAfter?: number;
}

/** Why there is no PDF to send; null when there is one. */
export function stickerProblem(found: LookupResult): StickerProblem | null {
  const code = codeOf(found.finding);
  const { status } = says[code];
  if (code === 'available' || status === 200) return null;
  const retryAfter = retryAfterOf(found.finding);
  // Whoever requests the PDF has it asked for, so this is a source that became free a moment ago.
  const detail = detailOf(code, found);
  if (code === 'not-asked') return { status, reason: 'still-asking', detail, retryAfter: 1 };
  return { status, reason: code, detail, ...(retryAfter === null ? {} : { retryAfter }) };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR_MS = 60 * MINUTE;

/** How long what a source said is believed, in milliseconds. A label is believed for ever. */
export function believedFor(
  outcome: Exclude<Outcome, { kind: 'label' }>,
  source: Source,
  modelYear: number | null,
  now: number,
): number {
  if (outcome.kind === 'none') {
    // A car of this or last year may still get its label; an old one hardly will.
    const recent = modelYear === null || modelYear >= new Date(now).getUTCFullYear() - 1;
    return (recent ? source.noneHours.recent : source.noneHours.older) * HOUR_MS;
  }
  const usual = outcome.kind === 'refused' ? 2 * MINUTE : 30 * SECOND;
  // A source may ask us to stay away longer, but nobody gets to silence a VIN for a day.
  return Math.min(Math.max(outcome.retryAfterMs ?? usual, usual), HOUR_MS);
}
