/** What a body is, by its bytes: its Content-Type is not believed. */

/** How a serialized Java byte array begins; four bytes of length follow. A dealer platform sends PDFs that way. */
const JAVA_BYTES = Buffer.from('aced0005757200025b42acf317f8060854e00200007870', 'hex');

/** Readers accept the header of a PDF within the first kilobyte. */
const HEADER_REGION = 1024;

/** The PDF in a body, from `%PDF-` on, without what it is wrapped in; null where there is none. */
export function pdfIn(body: Buffer): Buffer | null {
  const at = body.subarray(0, HEADER_REGION).indexOf('%PDF-');
  if (at < 0) return null;
  const isArray = body.subarray(0, JAVA_BYTES.length).equals(JAVA_BYTES);
  const start = JAVA_BYTES.length + 4;
  const end = isArray ? start + body.readUInt32BE(JAVA_BYTES.length) : body.length;
  return body.subarray(at, end);
}

/** How far before its end a whole PDF says that it ends; some servers pad what follows. */
const END_REGION = 2048;

/**
 * Whether a PDF has its end. A damaged table of contents is no matter: labels with one read well. `missingTrailer` is one
 * that stops inside that table, which comes last: everything on the page is there, and some sources keep such files.
 */
export function pdfCompleteness(pdf: Buffer): 'whole' | 'missingTrailer' | 'cut' {
  // A file made for the web has an end mark near its beginning too, but says there how long it is in all.
  const [, length] = /\/Linearized\b[^>]*?\/L\s+(\d+)/.exec(pdf.subarray(0, 1500).toString('latin1')) ?? [];
  if (length !== undefined && pdf.length < Number(length) - END_REGION) return 'cut';
  if (pdf.subarray(-END_REGION).includes('%%EOF')) return 'whole';
  const lastObject = pdf.lastIndexOf('endobj');
  const after = lastObject < 0 ? '' : pdf.subarray(lastObject + 6, lastObject + 30).toString('latin1');
  return /^\s*xref\s/.test(after) ? 'missingTrailer' : 'cut';
}

/** base64 of `%PDF-`, of `{"` and `<`-something, and of a Java byte array: what has been seen, or may be, under a coat of base64. */
const COATED = /^(?:JVBERi|eyJ|ewog|ey[AI]|PCFE|PGh0|PEhU|PCFk|rO0AB)/;

/** A byte order mark, white space, the quote of a JSON string, the beginning of a `data:` URL. */
const WRAPPER = /^(?:\xef\xbb\xbf)?\s*"?(?:data:[\w/+.;=-]*;base64,)?/;

/** Whether a body may be base64, by its first bytes. */
export function isWrapped(body: Buffer): boolean {
  const start = body.subarray(0, 200).toString('latin1');
  return COATED.test(start.slice(WRAPPER.exec(start)![0].length));
}

/** Takes off base64, with the quotes of a JSON string or a `data:` URL around it. Anything else comes back as it is. */
export function unwrapBase64(body: Buffer): Buffer {
  const start = body.subarray(0, 200).toString('latin1');
  const from = WRAPPER.exec(start)![0].length;
  if (!COATED.test(start.slice(from))) return body;
  return decodeBase64(body, from) ?? body;
}

const SPACE = 64;
const BACKSLASH = 65;
const OTHER = 66;
/** What each byte is in base64, in both of its alphabets: a value under 64, or one of the three above. */
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

/** Padding, a quote and white space may follow the last digit; whoever sends more is not sending base64. */
const LONGEST_TAIL = 2048;

/**
 * Base64 with white space and JSON's `\n`, `\r` and `\/` between its digits; null for anything else. Works on bytes in
 * one pass: Node's decoder wants a string without escapes, and making one of 20 MB took 9 seconds and 500 MB.
 */
function decodeBase64(body: Buffer, from: number): Buffer | null {
  const decoded = Buffer.allocUnsafe(Math.ceil(((body.length - from) * 3) / 4));
  let length = 0;
  let held = 0;
  let bits = 0;
  let at = from;
  for (; at < body.length; at++) {
    let value = VALUES[body[at]!]!;
    if (value === SPACE) continue;
    if (value === BACKSLASH) {
      const escaped = String.fromCharCode(body[++at] ?? 0);
      if (escaped === 'n' || escaped === 'r') continue;
      if (escaped !== '/') return null;
      value = 63;
    }
    if (value === OTHER) break;
    held = ((held << 6) | value) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    decoded[length++] = held >> bits;
  }
  if (body.length - at > LONGEST_TAIL) return null;
  const tail = body.toString('latin1', at).replace(/\s|\\[rn]/g, '');
  return /^={0,2}"?$/.test(tail) ? decoded.subarray(0, length) : null;
}

/** Block pages, refusals and error JSON are a few kilobytes and say what they are at their beginning. */
export const MAX_TEXT_BYTES = 64 * 1024;

/** The beginning of a body as text to search in, with the numeric entities that some edges hide their addresses behind resolved. */
export function plainText(body: Buffer): string {
  return body
    .subarray(0, MAX_TEXT_BYTES)
    .toString('utf8')
    .replace(/&#(\d{1,5});/g, (_, code: string) => String.fromCharCode(Number(code)));
}
