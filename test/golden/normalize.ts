import { hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { valueOf, type RawExchange, type RawResponse } from './client.ts';

/** Turns what was received into what is recorded: the same in every run, readable, and nothing left out without a mark. */

export interface Exchange {
  name: string;
  /** Status lines of 1xx responses. */
  interim: string[];
  responses: Response[];
  /** `open`, `closed`, or what went wrong. */
  after: string;
}

export interface Response {
  status: string;
  /** Sorted by name; several with one name in the order received. */
  headers: [name: string, value: string][];
  /** A text, the length and hash of other bytes, or null. */
  body: string | null;
}

/** Which kinds of values differ from run to run in an exchange, or from commit to commit. */
export interface Varying {
  /** The body is a file of this checkout that every commit may change. */
  body?: true;
  /** The body has counts in it that aren't recorded, so its length differs from run to run. */
  length?: true;
}

export interface Received {
  name: string;
  exchange: RawExchange;
  varying: Varying;
  /** The URL of the service, if it contains its port. */
  origin: string | null;
}

/** Normalizes all exchanges of a run together: headers may contain the hash of another exchange's body. */
export function normalizeAll(received: readonly Received[]): Exchange[] {
  const hashes = new Map<string, string>();
  const bodies = received.map(({ name, exchange, varying, origin }) =>
    exchange.responses.map((response) => {
      const body = bodyOf(response, varying, origin);
      const isChanged = body.text !== body.original;
      const digest = base64(body.bytes);
      if (isChanged && !hashes.has(digest)) hashes.set(digest, name);
      // The digest of a compressed body depends on the compressor.
      if (body.bytes !== response.body) hashes.set(base64(response.body), `${name}, encoded`);
      return body.text;
    }),
  );
  return received.map(({ name, exchange, varying, origin }, index) => ({
    name: assetHashes(withoutOrigin(name, origin)),
    interim: exchange.interim,
    responses: exchange.responses.map(({ status, headers }, place) => ({
      status,
      headers: headers
        .map(([header, value]): [string, string] => [
          header,
          headerValue(header, value, varying, origin, hashes),
        ])
        .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
      body: bodies[index]![place]!,
    })),
    after: exchange.after,
  }));
}

const base64 = (bytes: Buffer): string => hash('sha256', bytes, 'base64');

function headerValue(
  name: string,
  value: string,
  varying: Varying,
  origin: string | null,
  hashes: ReadonlyMap<string, string>,
): string {
  if (name === 'x-request-id') return requestId(value);
  if (name === 'date') return date(value);
  if (name === 'etag' || name === 'content-digest') return assetHashes(bodyHash(value, hashes));
  if (name === 'content-length' && (varying.body || varying.length)) return '<length>';
  return assetHashes(withoutOrigin(value, origin));
}

/** Request ids, which have the process and a count in them. */
const requestId = (text: string): string => text.replace(/^[0-9a-z]{6}-[0-9a-z]{7}$/, '<request id>');

/** Request ids in problem documents. */
const requestIds = (text: string): string =>
  text.replace(/"requestId":"[0-9a-z]{6}-[0-9a-z]{7}"/, '"requestId":"<request id>"');

/** The Date header. All other times come from the frozen clock of the test, and are compared. */
const date = (text: string): string => text.replace(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/, '<date>');

/** The URL of a service without a BASE_URL, which has its port. */
const withoutOrigin = (text: string, origin: string | null): string =>
  origin === null ? text : text.replaceAll(origin, '<origin>');

/** The hash in the URL of a stylesheet or script, which changes with its file. */
const assetHashes = (text: string): string => text.replace(/(\/assets\/[a-z-]+-)[0-9a-f]{10}\b/g, '$1<hash>');

/** The version of the reader in a reading. */
const readerVersions = (text: string): string => text.replace(/("reader":"[a-z-]+\/)\d+"/g, '$1<version>"');

/** Files in the results of tools: their length and hash say as much. */
const embeddedFiles = (text: string): string =>
  text.replace(
    /"(blob|data)":"([A-Za-z0-9+/]{1000,}={0,2})"/g,
    (_, key: string, data: string) => `"${key}":"${digestOf(Buffer.from(data, 'base64'))}"`,
  );

/** A hash in an ETag or a digest, if it is of a body that is itself recorded in another form. */
function bodyHash(value: string, hashes: ReadonlyMap<string, string>): string {
  for (const [form, name] of hashes)
    if (value.includes(form)) return value.replace(form, `<hash of ${name}>`);
  return value;
}

/** The metrics of the admin port: which there are, not how many of each. Those that count rare events may be missing. */
function metricNames(text: string): string {
  const names = text.match(/^# (?:HELP|TYPE) .*$/gm)!.filter((line) => !/stalls/.test(line));
  return `${names.sort().join('\n')}\n`;
}

const TEXT = /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml|x-ndjson|javascript)|image\/svg)/;

function bodyOf(response: RawResponse, varying: Varying, origin: string | null) {
  const { body } = response;
  const bytes = decoded(body, valueOf(response, 'content-encoding'));
  if (bytes.length === 0) return { bytes, text: null, original: null };
  const type = valueOf(response, 'content-type') ?? '';
  if (varying.body) return { bytes, text: '<not recorded>', original: '' };
  if (!TEXT.test(type)) return { bytes, text: digestOf(bytes), original: digestOf(bytes) };
  const original = bytes.toString('utf8');
  if (original.startsWith('# HELP')) return { bytes, text: metricNames(original), original };
  const text = [requestIds, assetHashes, readerVersions, embeddedFiles].reduce(
    (rewritten, rewrite) => rewrite(rewritten),
    withoutOrigin(original, origin),
  );
  return { bytes, text, original };
}

const digestOf = (bytes: Buffer): string => `<${bytes.length} bytes, sha256 ${hash('sha256', bytes, 'hex')}>`;

function decoded(body: Buffer, coding: string | undefined): Buffer {
  if (body.length === 0 || coding === undefined) return body;
  if (coding === 'gzip') return gunzipSync(body);
  if (coding === 'br') return brotliDecompressSync(body);
  throw new Error(`unknown content coding ${coding}`);
}
