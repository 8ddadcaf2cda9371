import { hasRightCheckDigit, meantBy, vehicleOf, warningOf, type Decoded } from '@monroney/vin';
import type { Log } from '../lib/log.ts';
import { inMemorySingleFlight } from '../lib/single-flight.ts';
import type { Store } from '../store/store.ts';
import type { Fetch } from './fetch.ts';

const BUDGET_MS = 4_000;
export const LIVE_MOST_BYTES = 256 * 1024;
const MOST_AT_ONCE = 4;
const FAILURES_TO_REST = 3;
const REST_MS = 60_000;
const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;
// A new manufacturer may be entered any day.
const UNKNOWN_KEPT_DAYS = 1;

export interface LiveVpicParts {
  /** Where NHTSA's API is asked: `VPIC_ORIGIN`, or a stand-in's for tests. */
  origin: string;
  store: Pick<Store, 'note' | 'keepNote'>;
  log: Pick<Log, 'warn'>;
  /** With a bound of `LIVE_MOST_BYTES`. */
  fetch: Fetch;
  now?: () => number;
  budgetMs?: number;
}

/** NHTSA's public decoder, for VINs that the offline data does not know. */
export interface LiveVpic {
  /** Null when it does not know the VIN either or does not answer in time. Never rejects. */
  decode(vin: string): Promise<Decoded | null>;
}

export function liveVpic(parts: LiveVpicParts): LiveVpic {
  const now = parts.now ?? Date.now;
  const asking = inMemorySingleFlight();
  let inFlight = 0;
  let failures = 0;
  let restsUntil = 0;

  async function decode(vin: string): Promise<Decoded | null> {
    const kept = await keptAnswer(vin);
    if (kept !== undefined) return kept;
    if (inFlight >= MOST_AT_ONCE || now() < restsUntil) return null;
    inFlight++;
    try {
      const decoded = await ask(vin, parts);
      failures = 0;
      await keep(vin, decoded);
      return decoded;
    } catch (error) {
      failures++;
      if (failures >= FAILURES_TO_REST) restsUntil = now() + REST_MS;
      parts.log.warn('live vPIC did not answer', { why: reason(error), failures });
      return null;
    } finally {
      inFlight--;
    }
  }

  /** What was answered before; undefined when nobody asked yet or the store is away. */
  async function keptAnswer(vin: string): Promise<Decoded | null | undefined> {
    try {
      const note = await parts.store.note(key(vin));
      if (note === null) return undefined;
      const decoded: Decoded | null = JSON.parse(note);
      return decoded;
    } catch {
      return undefined;
    }
  }

  async function keep(vin: string, decoded: Decoded | null): Promise<void> {
    const days = decoded ? KEPT_DAYS : UNKNOWN_KEPT_DAYS;
    try {
      await parts.store.keepNote(key(vin), JSON.stringify(decoded), now() + days * DAY_MS);
    } catch (error) {
      parts.log.warn('live vPIC answer could not be kept', { why: reason(error) });
    }
  }

  return { decode: (vin) => asking.once(vin, () => decode(vin)) };
}

const key = (vin: string): string => `vpic-live:${vin}`;

/** By the same door as the label sources: https, this one host, public addresses only. */
async function ask(
  vin: string,
  { origin, fetch, budgetMs = BUDGET_MS }: LiveVpicParts,
): Promise<Decoded | null> {
  const answer = await fetch({
    url: `${origin}/api/vehicles/decodevinvalues/${vin}?format=json`,
    hosts: [new URL(origin).host],
    headers: { Accept: 'application/json' },
    ms: budgetMs,
  });
  if (!answer.ok) throw new Error(answer.reason);
  if (answer.status !== 200) throw new Error(`status ${answer.status}`);
  return decodedFrom(vin, JSON.parse(answer.body.toString('utf8')));
}

/** Throws when it is no answer of vPIC about this VIN; null when vPIC does not know it either. */
function decodedFrom(vin: string, body: unknown): Decoded | null {
  const [values] = isRecord(body) && Array.isArray(body.Results) ? (body.Results as unknown[]) : [];
  if (!isRecord(values) || typeof values.ErrorCode !== 'string') throw new Error('not an answer of vPIC');
  const printed = strings(values);
  if (printed.VIN !== vin) throw new Error('an answer about another VIN');
  const codes = (printed.ErrorCode ?? '').split(',').map(Number).filter(Number.isInteger);
  if (codes.length === 0) throw new Error('an answer without codes');
  if (codes.includes(7) || codes.includes(8) || !printed.Make) return null;
  const suggested = /^[A-HJ-NPR-Z0-9!]{17}$/.test(printed.SuggestedVIN ?? '')
    ? (printed.SuggestedVIN ?? null)
    : null;
  const doubts = {
    vin,
    codes,
    suggested,
    wrong: wrongPositions(printed.PossibleValues ?? ''),
    outOfPlace: [],
    modelYear: Number(printed.ModelYear) || null,
    otherYear: null,
    incomplete: /incomplete/i.test(`${printed.VehicleType ?? ''} ${printed.BodyClass ?? ''}`),
  };
  // Other VINs would have to be asked for one by one, so only NHTSA's own suggestion is offered.
  const repair = meantBy(doubts, (to) => to === suggested && hasRightCheckDigit(to));
  return {
    vin,
    vehicle: vehicleOf(printed),
    codes,
    suggested,
    warning: warningOf(doubts, repair),
    repair,
    otherYear: null,
  };
}

function wrongPositions(possibleValues: string): { position: number; valid: string }[] {
  return [...possibleValues.matchAll(/\((\d{1,2}):([A-Z0-9]*)\)/g)].map((match) => ({
    position: Number(match[1]),
    valid: match[2] ?? '',
  }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

// Longer than anything vPIC prints, and short enough to keep and to send.
const LONGEST = 500;

function strings(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.slice(0, LONGEST).replace(/\p{Cc}/gu, ' ')]] : [],
    ),
  );
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // Its message would carry a piece of what was sent.
  return error instanceof SyntaxError ? 'broken JSON' : error.message.slice(0, 100);
}
