/** Detects what a body is by its bytes: its Content-Type is not trusted. */

/** The header of a serialized Java byte array; four bytes of length follow. A dealer platform sends PDFs that way. */
const JAVA_ARRAY_HEADER = Buffer.from('aced0005757200025b42acf317f8060854e00200007870', 'hex');

/** PDF readers accept the header anywhere within the first kilobyte. */
const HEADER_REGION_BYTES = 1024;

/** The PDF in a body, from `%PDF-` on, without its wrapper; null when there is none. */
export function pdfIn(body: Buffer): Buffer | null {
  const pdfStart = body.subarray(0, HEADER_REGION_BYTES).indexOf('%PDF-');
  if (pdfStart < 0) return null;
  const isArray = body.subarray(0, JAVA_ARRAY_HEADER.length).equals(JAVA_ARRAY_HEADER);
  const start = JAVA_ARRAY_HEADER.length + 4;
  const end = isArray ? start + body.readUInt32BE(JAVA_ARRAY_HEADER.length) : body.length;
  return body.subarray(pdfStart, end);
}

/** 20 bytes per object, of which a label has a few hundred. Searching megabytes would block the main thread. */
const MAX_TABLE_BYTES = 128 * 1024;

/** Where the end marker is searched for; some servers append padding. */
const END_REGION_BYTES = 2048;

/**
 * Whether a PDF is complete. A damaged cross-reference table does not matter: such labels are readable. A file that ends
 * inside that table, which comes last, has all of its page content, and some sources store such files.
 */
export function pdfCompleteness(pdf: Buffer): 'complete' | 'missing-trailer' | 'truncated' {
  // A linearized file has an end marker near its beginning too, but states its total length there.
  // oxlint-disable-next-line patterns/linear -- At most 1,500 characters.
  const [, length] = /\/Linearized\b[^>]*?\/L\s+(\d+)/.exec(pdf.subarray(0, 1500).toString('latin1')) ?? [];
  if (length !== undefined && pdf.length < Number(length) - END_REGION_BYTES) return 'truncated';
  const endRegion = pdf.subarray(-END_REGION_BYTES);
  const marker = endRegion.lastIndexOf('%%EOF');
  // A file that was changed has another version of some objects after the first end marker.
  const hasObject = (rest: Buffer) => rest.includes(' obj');
  if (marker >= 0) return hasObject(endRegion.subarray(marker)) ? 'truncated' : 'complete';
  const lastObject = pdf.lastIndexOf('endobj');
  const rest = lastObject < 0 ? Buffer.alloc(0) : pdf.subarray(lastObject + 6);
  const isTable = rest.length < MAX_TABLE_BYTES && /^\s*xref\s/.test(rest.toString('latin1', 0, 24));
  return isTable && !hasObject(rest) ? 'missing-trailer' : 'truncated';
}

/** Base64 of `%PDF-`, of the beginnings of JSON and HTML, and of a Java byte array. */
const BASE64_START = /^(?:JVBERi|eyJ|ewog|ey[AI]|PCFE|PGh0|PEhU|PCFk|rO0AB)/;

/** A byte order mark, white space, the opening quote of a JSON string, the prefix of a `data:` URL. */
const BASE64_PREFIX = /^(?:\xef\xbb\xbf)?\s*"?(?:data:[\w/+.;=-]*;base64,)?/;

/** Where base64 begins in a body, by its first bytes; null if it isn't base64. */
export function base64Start(body: Buffer): number | null {
  const start = body.subarray(0, 200).toString('latin1');
  const { length } = BASE64_PREFIX.exec(start)![0];
  return BASE64_START.test(start.slice(length)) ? length : null;
}

/** Decodes base64, also inside a JSON string or a `data:` URL. Returns anything else unchanged. */
export function unwrapBase64(body: Buffer): Buffer {
  const from = base64Start(body);
  return from === null ? body : (decodeBase64(body, from) ?? body);
}

const SPACE = 64;
const BACKSLASH = 65;
const OTHER = 66;
/** The value of each byte in base64 or base64url: less than 64, or one of the three above. */
const VALUES = new Uint8Array(256).fill(OTHER);
for (const [value, digit] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  VALUES[digit.charCodeAt(0)] = value;
}
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;
for (const space of ' \t\n\v\f\r') VALUES[space.charCodeAt(0)] = SPACE;
VALUES['\\'.charCodeAt(0)] = BACKSLASH;

/** Padding, a quote and white space may follow the last digit. */
const MAX_TAIL_BYTES = 2048;

/**
 * Decodes base64 with white space and JSON's `\n`, `\r` and `\/` between its digits; null for anything else. Works on
 * bytes in one pass: Node's decoder needs a string without escapes, and making one of 20 MB took 9 seconds and 500 MB.
 */
function decodeBase64(body: Buffer, from: number): Buffer | null {
  const decoded = Buffer.allocUnsafe(Math.ceil(((body.length - from) * 3) / 4));
  let length = 0;
  let buffered = 0;
  let bits = 0;
  let index = from;
  for (; index < body.length; index++) {
    let value = VALUES[body[index]!]!;
    if (value === SPACE) continue;
    if (value === BACKSLASH) {
      const escaped = String.fromCharCode(body[++index] ?? 0);
      if (escaped === 'n' || escaped === 'r') continue;
      if (escaped !== '/') return null;
      value = 63;
    }
    if (value === OTHER) break;
    buffered = ((buffered << 6) | value) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    decoded[length++] = buffered >> bits;
  }
  if (body.length - index > MAX_TAIL_BYTES) return null;
  const tail = body.toString('latin1', index).replace(/\s|\\[rn]/g, '');
  return /^={0,2}"?$/.test(tail) ? decoded.subarray(0, length) : null;
}

/** Block pages, refusals and error JSON are a few kilobytes and can be recognized by their beginning. */
export const MAX_TEXT_BYTES = 64 * 1024;

/** A page shows by its end that it is complete. */
const TEXT_END_BYTES = 2048;

/** The part of a text body that is judged: all of it, or its beginning and its end. */
export function judgedPart(body: Buffer): Buffer {
  if (body.length <= MAX_TEXT_BYTES) return body;
  return Buffer.concat([
    body.subarray(0, MAX_TEXT_BYTES - TEXT_END_BYTES),
    body.subarray(body.length - TEXT_END_BYTES),
  ]);
}

/** Whether nothing is missing at the end of a page. Counters and comments may follow its last tag, which is optional. */
export const isCompletePage = (text: string): boolean =>
  /<\/html\s*>|<\/\w{1,20}\s{0,20}>$/i.test(text.trimEnd().slice(-TEXT_END_BYTES));

/** Whether nothing is missing at the end of JSON. Other text has no end that could be missing. */
export function isCompleteJson(text: string): boolean {
  if (!/^[\ufeff\s]*[{[]/.test(text)) return true;
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

/** A body as text. Decodes numeric entities, which some CDNs use in the URLs of their error pages. */
export function textOfBody(body: Buffer): string {
  return judgedPart(body)
    .toString('utf8')
    .replace(/&#(\d{1,5});/g, (_, code: string) => String.fromCharCode(Number(code)));
}
