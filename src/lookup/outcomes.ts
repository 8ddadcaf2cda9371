import { settleYear } from '@monroney/vin';
import type { Found, Finding } from './finding.ts';
import type { VinResponse } from './schemas.ts';
import type { Outcome, Source } from '../makers/maker.ts';

/**
 * The one table that turns what we found into what the API says, how long others may keep it, and what a
 * person reads. No other file knows it.
 */

const DAY = 'public, max-age=86400';
const HOUR = 'public, max-age=3600';
const NEVER = 'no-store';

interface Says {
  supported: boolean;
  available: boolean | null;
  /** Whether asking the sticker address can lead anywhere. */
  pdf: boolean;
  cacheControl: string;
}

const says: Record<Finding['state'], Says> = {
  'no-source': { supported: false, available: false, pdf: false, cacheControl: DAY },
  held: { supported: true, available: true, pdf: true, cacheControl: DAY },
  none: { supported: true, available: false, pdf: false, cacheControl: HOUR },
  unasked: { supported: true, available: null, pdf: true, cacheControl: NEVER },
  off: { supported: true, available: null, pdf: false, cacheControl: NEVER },
  refused: { supported: true, available: null, pdf: true, cacheControl: NEVER },
  failed: { supported: true, available: null, pdf: true, cacheControl: NEVER },
  asking: { supported: true, available: null, pdf: true, cacheControl: NEVER },
};

/** The body of a lookup. */
export function vinResponse(found: Found, baseUrl: string): VinResponse {
  const { vin, finding } = found;
  const { supported, available, pdf } = says[finding.state];
  const note = offNote(found);
  const paint = finding.state === 'held' ? finding.label.paint : null;
  return {
    ok: true,
    vin,
    warning: warning(found),
    vehicle: found.decoded.vehicle,
    windowSticker: {
      supported,
      available,
      bytes: finding.state === 'held' ? finding.label.bytes : null,
      pdf: pdf ? `${baseUrl}/api/sticker/${vin}` : null,
      page: `${baseUrl}/window-sticker/${vin}`,
      ...(note ? { note } : {}),
      ...(paint ? { paint } : {}),
    },
  };
}

/** Of every answer about a held label. */
export const HELD_CACHE_CONTROL = says.held.cacheControl;

export function cacheControl(found: Found): string {
  // What NHTSA does not know of a car today, it may next month, or tomorrow.
  return isUndecided(found) ? HOUR : says[found.finding.state].cacheControl;
}

/** Whether the manufacturer is known but not which of its makes the car is, so that there is nobody to ask. */
export function isUndecided({ finding, decoded }: Found): boolean {
  return finding.state === 'no-source' && decoded.vehicle !== null && !decoded.vehicle.make;
}

export interface StickerProblem {
  status: 404 | 503;
  reason:
    | 'make-not-supported'
    | 'no-label'
    | 'source-off'
    | 'source-failed'
    | 'source-refused'
    | 'still-asking'
    | 'store-unavailable';
  detail: string;
  /** Seconds. */
  retryAfter?: number;
}

/** Why there is no PDF to send; null when there is one. A failure is never told as a 404: clients keep those. */
export function stickerProblem(found: Found): StickerProblem | null {
  const { finding } = found;
  switch (finding.state) {
    case 'held':
      return null;
    case 'no-source':
      return { status: 404, reason: 'make-not-supported', detail: notSupported(found) };
    case 'none':
      return { status: 404, reason: 'no-label', detail: noLabel(found) };
    case 'off':
      return { status: 404, reason: 'source-off', detail: offNote(found)! };
    case 'refused':
      return unavailable('source-refused', found, finding.retryAfter);
    case 'failed':
      return unavailable(
        finding.why === 'store' ? 'store-unavailable' : 'source-failed',
        found,
        finding.retryAfter,
      );
    case 'asking':
    case 'unasked':
      return unavailable('still-asking', found, finding.state === 'asking' ? finding.retryAfter : 1);
  }
}

function unavailable(reason: StickerProblem['reason'], found: Found, retryAfter: number): StickerProblem {
  return {
    status: 503,
    reason,
    detail: trouble(found) ?? 'The label is not here yet. Ask again.',
    retryAfter,
  };
}

/** Everything a person should know, as sentences; null when all is well. */
function warning(found: Found): string | null {
  const sentences = [vinWarning(found), trouble(found)];
  if (isUndecided(found)) sentences.push(UNDECIDED);
  if (found.specimen) sentences.push(specimenSentence(found));
  return sentences.filter(Boolean).join(' ') || null;
}

/** What is doubtful about the VIN. Labels are younger than thirty years, so a held one settles the model year. */
export function vinWarning({ decoded, finding }: Found): string | null {
  const { vehicle, otherYear } = decoded;
  const isLater = Number(vehicle?.year) > Number(otherYear);
  return finding.state === 'held' && otherYear && isLater
    ? settleYear(decoded, vehicle?.year).warning
    : decoded.warning;
}

const UNDECIDED = 'The make cannot be told from this VIN, so no label can be looked up.';

function specimenSentence({ finding }: Found): string {
  return finding.state === 'held'
    ? 'This is a specimen VIN for testing: its label was drawn by us and belongs to no car.'
    : 'This is a specimen VIN for testing: it belongs to no car, and its answer is always the same.';
}

/** Our trouble with the source, in words; null when there is none. */
export function trouble(found: Found): string | null {
  const { finding } = found;
  const name = found.source?.name ?? 'the manufacturer';
  switch (finding.state) {
    case 'refused':
      return `${name} turned our request away just now, so we do not know whether a label exists. ${again(finding.retryAfter)}`;
    case 'failed':
      return `${whatFailed(finding.why, name)}, so we do not know whether a label exists. ${again(finding.retryAfter)}`;
    case 'asking':
      return `The label is still being fetched from ${name}. Ask again in ${finding.retryAfter} seconds.`;
    default:
      return null;
  }
}

/** The manufacturer is not blamed for what is ours. */
export function whatFailed(why: string, name: string): string {
  if (why === 'store') return 'Label storage is temporarily unavailable';
  if (why === 'internal') return 'Something went wrong on our side just now';
  return `We could not get an answer from ${name} just now`;
}

function again(seconds: number): string {
  if (seconds < 90) return `Please try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return `Please try again in ${Math.ceil(seconds / 60)} minutes.`;
}

function offNote(found: Found): string | null {
  const { finding } = found;
  if (finding.state !== 'off') return null;
  const name = found.source?.name ?? 'This source';
  const since = finding.since ? ` since ${humanDay(finding.since)}` : '';
  const why = finding.reason ? ` Reason: ${finding.reason.replace(/\.?$/, '.')}` : '';
  return `We have switched off asking ${name} for labels${since}, so this VIN was not checked.${why}`;
}

export function notSupported(found: Found): string {
  const { make, manufacturer } = found.decoded.vehicle ?? {};
  if (isUndecided(found)) {
    const known = manufacturer ? ` NHTSA names only its manufacturer, ${manufacturer}.` : '';
    return `${UNDECIDED}${known} Check the VIN for a typing mistake.`;
  }
  return make
    ? `${make} does not publish window stickers, so there is none to serve. The decoded vehicle is at /api/v1/vin/${found.vin}.`
    : `The manufacturer of this VIN is not known, so no label can be looked up. Check the VIN for a typing mistake.`;
}

export function noLabel(found: Found): string {
  const name = found.source?.name ?? 'The manufacturer';
  return `${name} has no label for this VIN. ${found.source?.whenMissing ?? ''}`.trim();
}

/** `12 November 2026`, in UTC: the same words on every machine. */
export function humanDay(ms: number): string {
  return days.format(ms);
}

// Making one costs more than a page may take.
const days = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

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
