import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isIP } from 'node:net';
import type { OverrideWords, Source } from './maker.ts';

/**
 * What `SOURCES_FILE` changes in the descriptions of sources, so that an operator need not wait for a release when a
 * manufacturer moves or words its answers anew. A field that is given replaces the built-in one.
 */
export interface Override {
  addresses?: readonly string[];
  hosts?: readonly string[];
  headers?: Readonly<Record<string, string>>;
  words?: OverrideWords;
}

export type Overrides = Readonly<Record<string, Override>>;

const KEEP = '...';
const FIELDS = ['addresses', 'hosts', 'headers', 'none', 'refused'] as const;
/** Shorter words would be found on almost any page. */
const SHORTEST_WORD = 4;
const LONGEST_WORD = 200;
const MOST_ITEMS = 20;
/** Ours to set: they say who we are and how the connection works, or would be somebody's key. */
const OUR_HEADERS =
  /^(?:host|user-agent|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|cookie|authorization|proxy-.*)$/i;

/** Reads the file's text. Every fault names the place in the JSON and what to do. */
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
    if (!ids.includes(id)) faults.push(`${id} is no source. Sources: ${ids.join(', ')}.`);
    else if (!isObject(given)) faults.push(`${id} must be an object with any of ${FIELDS.join(', ')}.`);
    else overrides[id] = override(id, given, (fault) => faults.push(fault));
  }
  return { overrides, faults };
}

type Wrong = (fault: string) => void;

function override(id: string, given: Record<string, unknown>, wrong: Wrong): Override {
  const unknown = Object.keys(given).find((field) => !(FIELDS as readonly string[]).includes(field));
  if (unknown !== undefined) wrong(`${id}.${unknown} is unknown. Fields: ${FIELDS.join(', ')}.`);
  const list = (field: (typeof FIELDS)[number], fits: (item: string) => boolean, expected: string) =>
    given[field] === undefined ? undefined : strings(`${id}.${field}`, given[field], fits, expected, wrong);
  const addresses = list(
    'addresses',
    isTemplate,
    'an https:// URL of a public host name (no IP address, no user name) with {VIN} in its path or query',
  );
  const hosts = list('hosts', isHost, 'a public host name, such as www.example.com');
  const word = `words of ${SHORTEST_WORD} to ${LONGEST_WORD} characters, or "${KEEP}" for the built-in ones`;
  const none = list('none', isWord, word);
  const refused = list('refused', isWord, word);
  const headers = given['headers'] === undefined ? undefined : headersOf(id, given['headers'], wrong);
  return {
    ...(addresses ? { addresses } : {}),
    ...(hosts ? { hosts } : {}),
    ...(headers ? { headers } : {}),
    ...(none || refused ? { words: { ...(none ? { none } : {}), ...(refused ? { refused } : {}) } } : {}),
  };
}

function strings(
  place: string,
  value: unknown,
  fits: (item: string) => boolean,
  expected: string,
  wrong: Wrong,
): string[] | undefined {
  const canBeEmpty = !place.endsWith('.addresses');
  if (!Array.isArray(value) || value.length > MOST_ITEMS || (value.length === 0 && !canBeEmpty)) {
    const least = canBeEmpty ? 'at most' : '1 to';
    wrong(`${place} must be a list of ${least} ${MOST_ITEMS} strings, each ${expected}.`);
    return undefined;
  }
  value.forEach((item: unknown, index) => {
    if (typeof item !== 'string' || !fits(item))
      wrong(`${place}[${index}] is ${shown(item)}. It must be ${expected}.`);
  });
  return value as string[];
}

function headersOf(id: string, value: unknown, wrong: Wrong): Record<string, string> | undefined {
  if (!isObject(value)) {
    wrong(`${id}.headers must be an object of names and values, such as {"Accept": "application/pdf"}.`);
    return undefined;
  }
  for (const [name, text] of Object.entries(value)) {
    const place = `${id}.headers[${JSON.stringify(name)}]`;
    if (OUR_HEADERS.test(name)) wrong(`${place} can't be set. Remove it.`);
    else if (typeof text !== 'string' || !isHeader(name, text))
      wrong(`${place} is ${shown(text)}. It must be a valid header name with a string as its value.`);
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

function isTemplate(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.protocol !== 'https:' || url.username || url.password || url.hash) return false;
  return isHost(url.host) && /\{VIN\}/.test(text.slice(text.indexOf(url.host) + url.host.length));
}

/** A name that the public internet may know. Where it leads is checked again at every request. */
function isHost(text: string): boolean {
  const [name = '', port, ...rest] = text.split(':');
  if (rest.length > 0 || (port !== undefined && !/^\d{1,5}$/.test(port))) return false;
  return isIP(name) === 0 && /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(name);
}

function isWord(text: string): boolean {
  return text === KEEP || (text.trim().length >= SHORTEST_WORD && text.length <= LONGEST_WORD);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, 80);

/** The same sources as the operator describes them. */
export function withOverrides(overrides: Overrides, list: readonly Source[]): Source[] {
  return list.map((source) => {
    const own = overrides[source.id];
    if (!own) return source;
    const { words, ...fields } = own;
    return withWords({ ...source, ...fields }, words);
  });
}

/** `words` stays on the source as data: a worker in another process needs it too. */
export function withWords(source: Source, words: OverrideWords | undefined): Source {
  if (!words) return source;
  return {
    ...source,
    none: patterns(words.none, source.none),
    refused: patterns(words.refused, source.refused ?? []),
    words,
  };
}

function patterns(words: readonly string[] | undefined, builtIn: readonly RegExp[]): readonly RegExp[] {
  return words?.flatMap((word) => (word === KEEP ? builtIn : [pattern(word)])) ?? builtIn;
}

/** Upper or lower case, and any white space between the words. */
function pattern(word: string): RegExp {
  const parts = word.trim().split(/\s+/);
  return new RegExp(parts.map((part) => RegExp.escape(part)).join('\\s+'), 'i');
}
