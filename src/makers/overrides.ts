import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isIP } from 'node:net';
import { sources } from './index.ts';
import { KEEP, withWords, type OverrideWords, type Source } from './maker.ts';

/**
 * What `SOURCES_FILE` and `ADDRESS_<ID>` change in a source, so that an operator can follow a manufacturer's change without
 * waiting for a release. Each field replaces the built-in one.
 */
export interface Override {
  /** `addresses` in the file. */
  urls?: readonly string[];
  hosts?: readonly string[];
  headers?: Readonly<Record<string, string>>;
  words?: OverrideWords;
}

export type Overrides = Readonly<Record<string, Override>>;

const FIELDS = ['addresses', 'hosts', 'headers', 'none', 'refused'] as const;
/** Shorter phrases would match almost any page. */
const MIN_PHRASE_LENGTH = 4;
const MAX_PHRASE_LENGTH = 200;
const MAX_ITEMS = 20;
/** Headers that identify us, control the connection or carry credentials. */
const OUR_HEADERS =
  /^(?:host|user-agent|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|cookie|authorization|proxy-.*)$/i;

/** Parses the file. Every fault names the path in the JSON and the fix. */
export function parseOverrides(
  text: string,
  ids: readonly string[],
): { overrides: Overrides; faults: string[] } {
  const faults: string[] = [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { overrides: {}, faults: [`It isn't JSON: ${(error as Error).message}.`] };
  }
  if (!isObject(value))
    return { overrides: {}, faults: ['It must be an object of sources, such as {"ford": {…}}.'] };
  const overrides: Record<string, Override> = {};
  for (const [id, given] of Object.entries(value)) {
    if (id === '$schema') continue;
    if (!ids.includes(id)) faults.push(`${id} is not a source. Sources: ${ids.join(', ')}.`);
    else if (!isObject(given)) faults.push(`${id} must be an object with any of ${FIELDS.join(', ')}.`);
    else overrides[id] = parseOverride(id, given, (fault) => faults.push(fault));
  }
  return { overrides, faults };
}

type AddFault = (fault: string) => void;

function parseOverride(id: string, given: Record<string, unknown>, addFault: AddFault): Override {
  const unknown = Object.keys(given).find((field) => !(FIELDS as readonly string[]).includes(field));
  if (unknown !== undefined) addFault(`${id}.${unknown} is unknown. Fields: ${FIELDS.join(', ')}.`);
  const list = (field: (typeof FIELDS)[number], isValid: (item: string) => boolean, expected: string) =>
    given[field] === undefined
      ? undefined
      : strings(`${id}.${field}`, given[field], isValid, expected, addFault);
  const urls = list('addresses', isTemplate, TEMPLATE);
  const hosts = list('hosts', isHost, 'a public host name, such as www.example.com');
  const phrase = `words of ${MIN_PHRASE_LENGTH} to ${MAX_PHRASE_LENGTH} characters, or "${KEEP}" for the built-in ones`;
  const none = list('none', isPhrase, phrase);
  const refused = list('refused', isPhrase, phrase);
  const headers = given['headers'] === undefined ? undefined : headersOf(id, given['headers'], addFault);
  return {
    ...(urls ? { urls } : {}),
    ...(hosts ? { hosts } : {}),
    ...(headers ? { headers } : {}),
    ...(none || refused ? { words: { ...(none ? { none } : {}), ...(refused ? { refused } : {}) } } : {}),
  };
}

function strings(
  path: string,
  value: unknown,
  isValid: (item: string) => boolean,
  expected: string,
  addFault: AddFault,
): string[] | undefined {
  const canBeEmpty = !path.endsWith('.addresses');
  if (!Array.isArray(value) || value.length > MAX_ITEMS || (value.length === 0 && !canBeEmpty)) {
    const count = canBeEmpty ? 'at most' : '1 to';
    addFault(`${path} must be a list of ${count} ${MAX_ITEMS} strings, each ${expected}.`);
    return undefined;
  }
  value.forEach((item: unknown, index) => {
    if (typeof item !== 'string' || !isValid(item))
      addFault(`${path}[${index}] is ${quoted(item)}. It must be ${expected}.`);
  });
  return value as string[];
}

function headersOf(id: string, value: unknown, addFault: AddFault): Record<string, string> | undefined {
  if (!isObject(value)) {
    addFault(`${id}.headers must be an object of names and values, such as {"Accept": "application/pdf"}.`);
    return undefined;
  }
  for (const [name, text] of Object.entries(value)) {
    const path = `${id}.headers[${JSON.stringify(name)}]`;
    if (OUR_HEADERS.test(name)) addFault(`${path} can't be set. Remove it.`);
    else if (typeof text !== 'string' || !isHeader(name, text))
      addFault(`${path} is ${quoted(text)}. It must be a valid header name with a string as its value.`);
  }
  return value as Record<string, string>;
}

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** What `isTemplate` accepts, for error messages. */
export const TEMPLATE =
  'an https:// URL of a public host name (no IP address, no user name) with {VIN} in its path or query';

export function isTemplate(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.protocol !== 'https:' || url.username || url.password || url.hash) return false;
  return isHost(url.host) && /\{VIN\}/.test(text.slice(text.indexOf(url.host) + url.host.length));
}

/** Is it a host name that may be public? The IP address is checked at every request. */
function isHost(text: string): boolean {
  const [name = '', port, ...rest] = text.split(':');
  if (rest.length > 0 || (port !== undefined && !/^\d{1,5}$/.test(port))) return false;
  return isIP(name) === 0 && /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(name);
}

function isPhrase(text: string): boolean {
  return text === KEEP || (text.trim().length >= MIN_PHRASE_LENGTH && text.length <= MAX_PHRASE_LENGTH);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const quoted = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, 80);

/** The sources with the operator's overrides. */
export function withOverrides(overrides: Overrides): Source[] {
  return sources.map((source) => {
    const override = overrides[source.id];
    if (!override) return source;
    const { words, ...fields } = override;
    return withWords({ ...source, ...fields }, words);
  });
}
