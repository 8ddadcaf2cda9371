import { hasRightCheckDigit, meantBy, vehicleOf, warningOf, type Decoded } from '@monroney/vin';
import type { Log } from '../lib/log.ts';
import { inMemorySingleFlight } from '../lib/promises.ts';
import type { Store } from '../store/store.ts';
import type { Fetch } from './fetch.ts';
import type { Hosts, HostsOptions } from './hosts.ts';

const TIMEOUT_MS = 4_000;
export const LIVE_MAX_BYTES = 256 * 1024;
/** The longest wait for a turn. */
const QUEUE_MS = 1_000;
const DAY_MS = 86_400_000;
const TTL_DAYS = 30;
// NHTSA may add a new manufacturer any day.
const UNKNOWN_TTL_DAYS = 1;

export interface LiveVpicOptions {
  /** Origin of NHTSA's API: `VPIC_ORIGIN`, or a test server. */
  origin: string;
  store: Pick<Store, 'value' | 'setValue'>;
  log: Pick<Log, 'warn'>;
  /** Limited to `LIVE_MAX_BYTES`. */
  fetch: Fetch;
  /** NHTSA's own pace and breaker: see `LIVE_HOSTS`. */
  hosts: Hosts;
  now?: () => number;
  timeoutMs?: number;
}

/** Four requests a second, and a minute without any after three failures: each keeps a lookup waiting. */
export const LIVE_HOSTS: HostsOptions = { everyMs: 250, failures: 3, pauseMs: 60_000 };

/**
 * NHTSA's public decoder, for VINs missing from the offline data. Its result is null when NHTSA does not know the VIN either or
 * does not respond in time. Never rejects.
 */
export function liveVpic(options: LiveVpicOptions) {
  const now = options.now ?? Date.now;
  const singleFlight = inMemorySingleFlight();
  const { host } = new URL(options.origin);

  async function decode(vin: string, client?: string): Promise<Decoded | null> {
    const cached = await cachedResult(vin);
    if (cached !== undefined) return cached;
    const visit = await options.hosts.enter(host, { withinMs: QUEUE_MS, client });
    if (!visit.ok) return null;
    try {
      const decoded = await request(vin, options);
      await visit.end('responded');
      await store(vin, decoded);
      return decoded;
    } catch (error) {
      await visit.end('failed');
      options.log.warn('live vPIC request failed', { why: reason(error) });
      return null;
    }
  }

  /** Undefined when there is none or the store is unavailable. */
  async function cachedResult(vin: string): Promise<Decoded | null | undefined> {
    try {
      const stored = await options.store.value(key(vin));
      if (stored === null) return undefined;
      const decoded: Decoded | null = JSON.parse(stored);
      return decoded;
    } catch {
      return undefined;
    }
  }

  async function store(vin: string, decoded: Decoded | null): Promise<void> {
    const days = decoded ? TTL_DAYS : UNKNOWN_TTL_DAYS;
    try {
      await options.store.setValue(key(vin), JSON.stringify(decoded), now() + days * DAY_MS);
    } catch (error) {
      options.log.warn('cannot store a live vPIC result', { why: reason(error) });
    }
  }

  return { decode: (vin: string, client?: string) => singleFlight.once(vin, () => decode(vin, client)) };
}

const key = (vin: string): string => `vpic-live:${vin}`;

/** Under the same rules as requests to label sources: HTTPS, one host, public IP addresses only. */
async function request(
  vin: string,
  { origin, fetch, timeoutMs = TIMEOUT_MS }: LiveVpicOptions,
): Promise<Decoded | null> {
  const response = await fetch({
    url: `${origin}/api/vehicles/decodevinvalues/${vin}?format=json`,
    hosts: [new URL(origin).host],
    headers: { Accept: 'application/json' },
    ms: timeoutMs,
  });
  if (!response.ok) throw new Error(response.reason);
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  return decodedFrom(vin, JSON.parse(response.body.toString('utf8')));
}

/** Throws unless it is a vPIC response for this VIN. Null when vPIC does not know it either. */
function decodedFrom(vin: string, body: unknown): Decoded | null {
  const [values] = isRecord(body) && Array.isArray(body.Results) ? (body.Results as unknown[]) : [];
  if (!isRecord(values) || typeof values.ErrorCode !== 'string') throw new Error('not a vPIC response');
  const fields = strings(values);
  if (fields.VIN !== vin) throw new Error('a response for another VIN');
  const codes = (fields.ErrorCode ?? '').split(',').map(Number).filter(Number.isInteger);
  if (codes.length === 0) throw new Error('a response without error codes');
  if (codes.includes(7) || codes.includes(8) || !fields.Make) return null;
  const suggested = /^[A-HJ-NPR-Z0-9!]{17}$/.test(fields.SuggestedVIN ?? '')
    ? (fields.SuggestedVIN ?? null)
    : null;
  const doubts = {
    vin,
    codes,
    suggested,
    wrong: wrongPositions(fields.PossibleValues ?? ''),
    invalidPositions: [],
    modelYear: Number(fields.ModelYear) || null,
    otherYear: null,
    incomplete: /incomplete/i.test(`${fields.VehicleType ?? ''} ${fields.BodyClass ?? ''}`),
  };
  // Checking other VINs would take a request each, so only NHTSA's own suggestion is offered.
  const repair = meantBy(doubts, (to) => to === suggested && hasRightCheckDigit(to));
  return {
    vin,
    vehicle: vehicleOf(fields),
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

// Longer than any value of vPIC, and short enough to store.
const MAX_VALUE_LENGTH = 500;

function strings(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.slice(0, MAX_VALUE_LENGTH).replace(/\p{Cc}/gu, ' ')]] : [],
    ),
  );
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // The message of a SyntaxError quotes the response.
  return error instanceof SyntaxError ? 'invalid JSON' : error.message.slice(0, 100);
}
