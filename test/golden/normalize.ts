import { hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { bodyText, digestOf, isText, REQUEST_ID } from './body-text.ts';
import type { Case } from './case.ts';
import { valueOf, type RawExchange, type RawResponse } from './client.ts';

/** Turns what was received into what is recorded: the same in every run, readable, and nothing left out without a mark. */

export interface Received extends Case {
  area: string;
  exchange: RawExchange;
  /** The URL of the service, if it contains its port. */
  origin: string | null;
}

export interface Response {
  status: string;
  /** Sorted by name; several with one name in the order received. */
  headers: [name: string, value: string][];
  /** A text, the length and hash of other bytes, or null. */
  body: string | null;
}

export interface Exchange extends Omit<RawExchange, 'responses'> {
  area: string;
  name: string;
  responses: Response[];
}

/** The HTTP library sets them. Whether the connection stays open is recorded instead. */
export const NOT_RECORDED = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Normalizes all exchanges of a run together: headers may contain the hash of another exchange's body. */
export function normalizeAll(received: readonly Received[]): Exchange[] {
  const all = new Set(received.map(({ name }) => name));
  const names = new Map<string, string>();
  for (const { name, exchange, origin } of received)
    for (const response of exchange.responses)
      for (const sha256 of [decodedBody(response), response.body].flatMap(hashesOf))
        if (!names.has(sha256)) names.set(sha256, stable(name, origin));
  return received.map(({ area, name, path, exchange, origin }) => ({
    ...exchange,
    area,
    name: stable(name, origin),
    responses: exchange.responses.map((response) => ({
      status: response.status,
      // The client checks those of bodies, and a rule those of HEAD.
      headers: headersOf(response, origin, names, all.has(name.replace(/^HEAD/, 'GET')) ? '<length>' : null),
      body: recordedBody(path, response, origin),
    })),
  }));
}

/** Without the port of a service, and what changes with a style sheet, a script or a reader of labels. */
const stable = (text: string, origin: string | null): string =>
  (origin ? text.replaceAll(origin, '<origin>') : text)
    .replace(/(\/assets\/[a-z-]+-)[0-9a-f]{10}\b/g, '$1<hash>')
    .replace(/(reader(?:"|&quot;)?: ?(?:"|&quot;)?[a-z-]+\/)\d+/gi, '$1<version>');

function recordedBody(path: string, response: RawResponse, origin: string | null): string | null {
  const bytes = decodedBody(response);
  if (bytes.length === 0) return null;
  const type = valueOf(response, 'content-type') ?? '';
  if (!isText(type)) return digestOf(bytes);
  return bodyText(stable(bytes.toString(), origin), type, response.status === '200 OK' ? path : null);
}

/** Without its content coding. */
export function decodedBody(response: RawResponse): Buffer {
  const coding = valueOf(response, 'content-encoding');
  if (response.body.length === 0 || coding === undefined) return response.body;
  if (coding === 'gzip') return gunzipSync(response.body);
  if (coding === 'br') return brotliDecompressSync(response.body);
  throw new Error(`unknown content coding ${coding}`);
}

function hashesOf(bytes: Buffer): string[] {
  const sha256 = hash('sha256', bytes, 'buffer');
  return [sha256.toString('hex'), sha256.toString('base64')];
}

/** A changed body shows as such. Its hash and length, also in responses to HEAD and in 304, would only repeat that. */
function headersOf(
  response: RawResponse,
  origin: string | null,
  names: ReadonlyMap<string, string>,
  length: string | null,
): Response['headers'] {
  const [decoded, encoded] = [hashesOf(decodedBody(response)), hashesOf(response.body)];
  const hashed = (sha256: string): string | undefined => {
    if (decoded.includes(sha256)) return 'the body';
    return encoded.includes(sha256) ? 'the encoded body' : names.get(sha256);
  };
  return response.headers
    .filter(([name]) => !NOT_RECORDED.has(name))
    .map(([name, value]): [string, string] => [
      name,
      stable((name === 'content-length' && length) || value, origin)
        .replace(REQUEST_ID, '<request id>')
        .replace(/[\w+/]{43}=|[0-9a-f]{64}/, (sha256) => {
          const name = hashed(sha256);
          return name ? `<hash of ${name}>` : sha256;
        }),
    ])
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
}
