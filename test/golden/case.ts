import type { Simulator } from '../../tools/simulator/simulator.ts';
import { freshIp, type Service } from '../service.ts';
import type { RawRequest } from './client.ts';

/** One exchange to record, and the helpers that tables of them are written with. */

/** The time in every run. */
export const NOW = Date.UTC(2026, 10, 20, 12);

export const BASE = 'https://stickers.example';
const HOST = 'stickers.example';
/** As Chromium sends it. */
export const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** Test VINs, by what they show. */
export const HELD = '1FMUK8DH0TG000000';
export const JEEP = '1C4RJHBR7TC000000';
export const PICTURE = '3N8AP6DA9SL000000';
export const NONE = '2LMPJ8J99PB000000';
export const WRONG_DIGIT = '5GAEVAKW4RJ000000';
export const FAILED = 'JF2SKAGC8RH000000';
export const OFF = '5XYP5DGC4PG000000';
export const NO_SOURCE = '1HGCV3F53MA000000';
export const UNKNOWN = '1ZZAA1AA8TA000000';

export interface Case {
  /** Unique. By default the request itself. */
  name: string;
  method: string;
  path: string;
  /** `{etag}` and `{modified}` stand for those of the latest response for this path. */
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** The exact bytes instead, for what no HTTP library would send. `methods` has that of each request in them. */
  wire?: { parts(client: string): string[]; methods: string[] };
  /** Sent first by the same client, and not recorded. */
  before?: readonly Case[];
  /** Cases with the same name of a client share an IP address. By default each has its own. */
  client?: string;
}

export interface Services {
  /** Nothing asks a source: every response is about test VINs, documents or pages. */
  plain: Service;
  /** Asks the simulator. */
  asking: Service;
  /** Without a BASE_URL and without limits, as on a private network. */
  unlimited: Service;
}

export interface Group {
  /** Which file records its exchanges: `recorded/<area>.txt`. */
  area: string;
  server: keyof Services | 'admin';
  /** Runs before its cases. */
  prepare?(services: Services, simulator: Simulator): Promise<void> | void;
  cases: readonly Case[];
}

type More = Partial<Pick<Case, 'before' | 'client' | 'body'>> & { note?: string };
type Headers = Readonly<Record<string, string>>;

export function send(method: string, path: string, headers: Headers = {}, more: More = {}): Case {
  const { note, ...rest } = more;
  const name = `${method} ${short(path)}${describeHeaders(headers)}${rest.body === undefined ? '' : ` ${short(rest.body)}`}`;
  return { name: note ? `${name} (${note})` : name, method, path, headers, ...rest };
}

export const get = (path: string, headers?: Headers, more?: More): Case => send('GET', path, headers, more);
export const head = (path: string, headers?: Headers, more?: More): Case => send('HEAD', path, headers, more);
export const post = (path: string, type: string, body: string, headers: Headers = {}): Case =>
  send('POST', path, { 'Content-Type': type, ...headers }, { body });

/** A request that is sent as it stands, apart from `{client}`, which becomes an IP address. */
export function wire(note: string, bytes: string | readonly string[], ...methods: string[]): Case {
  const parts = typeof bytes === 'string' ? [bytes] : bytes;
  return {
    name: `on the wire: ${note}`,
    method: '',
    path: '',
    headers: {},
    wire: {
      parts: (client) => parts.map((part) => part.replaceAll('{client}', client)),
      methods: methods.length > 0 ? methods : ['GET'],
    },
  };
}

const MAX_NAME_PART = 110;

function short(text: string): string {
  if (text.length <= MAX_NAME_PART) return text;
  return `${text.slice(0, MAX_NAME_PART)}… (${text.length} characters)`;
}

function describeHeaders(headers: Headers): string {
  const entries = Object.entries(headers).map(([name, value]) =>
    value === BROWSER.Accept ? 'as a browser' : `${name}: ${short(value)}`,
  );
  return entries.length === 0 ? '' : ` [${entries.join('; ')}]`;
}

const clients = new Map<string, string>();

/** The bytes of a case. Clients are told apart by X-Forwarded-For, which the services trust here. */
export function bytesOf(
  { method, path, headers, body, wire: exact, client: name }: Case,
  validators: ReadonlyMap<string, Readonly<Record<string, string>>>,
): RawRequest {
  const client = name === undefined ? freshIp() : (clients.get(name) ?? freshIp());
  if (name !== undefined) clients.set(name, client);
  if (exact) return { parts: exact.parts(client), methods: exact.methods };
  const known = validators.get(path) ?? {};
  const fields = Object.entries({ Host: HOST, 'X-Forwarded-For': client, ...headers }).map(
    ([field, value]) =>
      `${field}: ${value.replace(/\{(\w+)\}/g, (_, key: string) => known[key] ?? `no ${key}`)}\r\n`,
  );
  const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return {
    parts: [`${method} ${path} HTTP/1.1\r\n${fields.join('')}${length}\r\n${body ?? ''}`],
    methods: [method],
  };
}
