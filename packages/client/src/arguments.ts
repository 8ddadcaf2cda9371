import { vinsIn } from '../../vin/src/syntax.ts';
import type { Cache } from './cache.ts';
import { MonroneyError } from './errors.ts';

export interface ClientOptions {
  /** The URL of the service, such as `https://example.org`. */
  baseUrl: string;
  /** Optional: your domain or e-mail address, so that we can tell you about breaking changes before they ship. */
  contact?: string;
  /** Caches responses, so that each VIN is requested once. Default: in memory. */
  cache?: Cache;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
  /** How long one call may take, including waits and retries; for `decode`, each 50 VINs. Default: 60 seconds. */
  budgetMs?: number;
  /** Labels larger than this are refused. Default: 40 MB. */
  maxBytes?: number;
  /** How many requests to send in ten seconds; 0 for no limit. Default: as many as the service allows. */
  requests?: number;
  /**
   * Retry when the manufacturer's server fails, too, as long as `budgetMs` allows. Default: false. Such an error then comes
   * at once, with the time to try again: the service has already tried, and won't ask again before that.
   */
  retrySources?: boolean;
}

export interface Asking {
  signal?: AbortSignal;
}

/** Checks what a caller passes. TypeScript checks it as well, but not in JavaScript, nor what comes from elsewhere. */

const mistake = (detail: string): MonroneyError => new MonroneyError({ reason: 'bad-parameter', detail });

/** What was passed, for a message. */
function shown(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, 40)}"`;
  if (value === null || value === undefined || typeof value === 'number') return String(value);
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const isFunction = (value: unknown): boolean => typeof value === 'function';

const OPTIONS: Readonly<Record<string, { is(value: unknown): boolean; wanted: string }>> = {
  contact: {
    // In a header, other characters would make every request fail.
    is: (value) => typeof value === 'string' && /^[\x20-\x7e]*$/.test(value),
    wanted: 'your domain or e-mail address',
  },
  cache: {
    is: (value) => isFunction((value as Cached | null)?.get) && isFunction((value as Cached | null)?.set),
    wanted: 'an object with the functions get and set',
  },
  fetch: { is: isFunction, wanted: 'a function like the global fetch' },
  budgetMs: { is: isNumber, wanted: 'a number of milliseconds' },
  maxBytes: { is: isNumber, wanted: 'a number of bytes' },
  requests: { is: isNumber, wanted: 'a number; 0 for no limit' },
  retrySources: { is: (value) => typeof value === 'boolean', wanted: 'true or false' },
};
interface Cached {
  get?: unknown;
  set?: unknown;
}

/** Returns the base URL without slashes at its end. */
export function checkOptions(options: ClientOptions): string {
  const given = options as unknown as Readonly<Record<string, unknown>> | null | undefined;
  const baseUrl = given?.['baseUrl'];
  const example = "createClient({ baseUrl: 'https://example.org' })";
  if (given !== undefined && (typeof given !== 'object' || given === null))
    throw mistake(`createClient takes an object, got ${shown(given)}. Example: ${example}`);
  if (typeof baseUrl !== 'string' || baseUrl.trim() === '')
    throw mistake(`baseUrl must be the URL of the service, got ${shown(baseUrl)}. Example: ${example}`);
  if (!/^https?:\/\/[^/]/i.test(baseUrl.trim()))
    throw mistake(`baseUrl must begin with http:// or https://, got ${shown(baseUrl)}. Example: ${example}`);
  if (!URL.canParse(baseUrl) || /[?#@]/.test(baseUrl))
    throw mistake(`baseUrl must be a URL without user name, query and fragment. Example: ${example}`);
  for (const [name, { is, wanted }] of Object.entries(OPTIONS))
    if (given![name] !== undefined && !is(given![name]))
      throw mistake(`${name} must be ${wanted}, got ${shown(given![name])}.`);
  return baseUrl.trim().replace(/(?<!\/)\/+$/, '');
}

/** The options of one call. Null is the same as none. */
export function checkCall<T extends Asking>(callOptions: T | null | undefined): T | undefined {
  const given: unknown = callOptions ?? undefined;
  if (given === undefined) return undefined;
  if (typeof given !== 'object')
    throw mistake(`The options of a call must be an object such as { signal }, got ${shown(given)}.`);
  const signal: unknown = (given as Asking).signal ?? undefined;
  if (signal !== undefined && !isFunction((signal as Partial<AbortSignal>).throwIfAborted))
    throw mistake(`signal must be an AbortSignal, got ${shown(signal)}.`);
  for (const name of ['sticker', 'text']) {
    const value = (given as Readonly<Record<string, unknown>>)[name] ?? true;
    if (typeof value !== 'boolean') throw mistake(`${name} must be true or false, got ${shown(value)}.`);
  }
  return given as T;
}

export function checkVins(vins: readonly string[]): void {
  if (!Array.isArray(vins)) throw mistake(`decode takes an array of VINs, got ${shown(vins)}.`);
  const wrong = vins.findIndex((vin) => typeof vin !== 'string');
  if (wrong !== -1)
    throw mistake(`decode takes an array of VINs as strings, got ${shown(vins[wrong])} at index ${wrong}.`);
}

/** As long as a VIN with a character too many or too few. The service can say which VIN was meant. */
const MISTYPED = /^[A-Z0-9]{16,18}$/;

/** The VIN in a text, or a mistyped one, for which the service has a suggestion. */
export function vinOf(text: string): string {
  if (typeof text !== 'string')
    throw new MonroneyError({ reason: 'bad-vin', detail: `The VIN must be a string, got ${shown(text)}.` });
  const vin = text.trim().toUpperCase();
  if (/^[A-HJ-NPR-Z0-9]{17}$/.test(vin)) return vin;
  const [first, second] = vinsIn(text);
  if (first && !second) return first;
  if (MISTYPED.test(vin)) return vin;
  throw new MonroneyError({
    reason: 'bad-vin',
    detail: `${shown(text)} isn't a VIN. A VIN has 17 letters and digits, without I, O and Q.`,
  });
}
