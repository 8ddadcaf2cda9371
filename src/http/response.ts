import type { Readable } from 'node:stream';

/** Header names in lower case. A list is sent as several lines. */
export type HeaderFields = Readonly<Record<string, string | string[]>>;

/** The headers of a response that can be revalidated. */
export type ValidatedFields = HeaderFields & { etag: string; 'last-modified'?: string };

/** What is sent: `send.ts` adds the headers of the request, such as its id, and leaves out the body for HEAD. */
export interface HttpResponse {
  status: number;
  headers: HeaderFields;
  /** A string is pure ASCII. */
  body: string | Buffer | Readable | null;
}

/** JSON whose length in characters is its length in bytes: anything beyond ASCII is escaped. */
export function asciiJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) === json.length) return json;
  return json.replace(
    // eslint-disable-next-line no-control-regex
    /[^\x00-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A machine-readable document; as a string it is pure ASCII. */
export interface Document {
  type: string;
  body: string | Buffer;
  /** Five minutes by default. */
  cacheControl?: string;
}

export function jsonDocument(value: unknown, type = 'application/json'): Document {
  return { type, body: asciiJson(value) };
}

/** HTTP dates have a resolution of one second. */
export function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}
