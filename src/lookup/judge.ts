import type { Outcome, Source } from '../makers/maker.ts';
import type { PdfWorkers } from '../pdf/pdf-workers.ts';
import { printedVins } from '@monroney/label/reading/vehicles';
import type { LabelText } from '@monroney/label/reading/types';

/** The part of a source's response that decides its outcome. */
export interface SourceResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  host: string;
  /** The requested URL, before any redirect. */
  url?: string;
}

export type Judge = (source: Source, vin: string, received: SourceResponse) => Promise<Outcome>;

/**
 * Turns a response into an outcome by its content: sources send placeholders as PDFs, PDFs as text, refusals with status
 * 200. A body is a label only if it is a complete PDF whose text has this VIN and no other.
 */
export function createJudge(workers: Pick<PdfWorkers, 'text'>): Judge {
  return async (source, vin, received) => {
    const body = unwrapBase64(received.body);
    const pdf = pdfIn(body);
    if (!pdf) return judgeText(source, vin, received, body);
    const completeness = pdfCompleteness(pdf);
    if (completeness === 'truncated') return { kind: 'failed', why: 'truncated' };
    const missingTrailer = completeness === 'missing-trailer';
    const read = await workers.text(pdf);
    if (!read.ok && read.reason !== 'no-text') {
      const why = missingTrailer ? 'truncated' : 'unreadable';
      return { kind: 'failed', why: read.reason === 'busy' ? 'workers-busy' : why };
    }
    const outcome = judgePdf(source, vin, pdf, read.ok ? read.text : null, received.host);
    return outcome.kind === 'label' && missingTrailer ? { ...outcome, missingTrailer } : outcome;
  };
}

function judgePdf(source: Source, vin: string, pdf: Buffer, text: LabelText | null, host: string): Outcome {
  const { spaced, squeezed } = flatten(text);
  const hasVin = squeezed.includes(vin);
  const others = printedVins(spaced).filter((found) => found.vin !== vin);
  const hasOther = others.length > 0;
  const hasCertainOther = others.some(({ certain }) => certain);
  // Hidden text counts too, or a file could smuggle in a VIN.
  if (hasVin && hasCertainOther) return { kind: 'failed', why: 'several-vehicles' };
  // A placeholder may repeat the requested VIN, but its text is always shorter than a label's.
  const isShort = squeezed.length < MAX_PLACEHOLDER_LENGTH;
  const phrases = [...source.none, ...(source.placeholder ?? [])];
  if (isShort && !hasCertainOther && phrases.some((pattern) => pattern.test(spaced))) {
    return { kind: 'none', why: 'placeholder' };
  }
  const { picture } = source;
  const isPicture = picture && !hasOther && pdf.length > picture.minBytes && picture.notice.test(spaced);
  // The rest may be another car's label.
  if ((hasVin || isPicture) && text?.incomplete) return { kind: 'failed', why: 'unreadable' };
  if (hasVin || isPicture) return { kind: 'label', pdf, host, ...(text ? { text } : {}) };
  return { kind: 'failed', why: hasOther ? 'wrong-vin' : 'no-vin' };
}

/** Letters and digits. The shortest real label has 792, known placeholders have fewer than 160. */
const MAX_PLACEHOLDER_LENGTH = 600;

/** Labels print a VIN with dashes or spaces, or in pieces; `squeezed` has only letters and digits. */
function flatten(text: LabelText | null): { spaced: string; squeezed: string } {
  const items = text?.pages.flatMap((page) => page.items) ?? [];
  const spaced = items
    .map((item) => item.text)
    .join(' ')
    .replace(/\s+/g, ' ');
  return { spaced, squeezed: spaced.replace(/[^A-Za-z0-9]/g, '').toUpperCase() };
}

/**
 * Block pages, whatever their status. No pattern may read past the next `<`: one that does takes quadratic time on a page
 * of nothing but `<h1`.
 */
const BLOCK_PAGES = [
  /<(?:title|h1|h2)\b[^<>]*>[^<]*(?:access denied|forbidden|blocked|captcha|are you (?:a )?(?:human|robot))/i,
  /<title\b[^<>]*>\s*(?:just a moment|attention required|pardon our interruption|verify)/i,
  /errors\.edgesuite/i,
  /you have been blocked/i,
  /incapsula incident|unusual traffic from your/i,
];
/** Error pages of a website: they never mean "none", even for sources where other pages do. */
const ERROR_PAGE =
  /<(?:title|h1|h2)\b[^<>]*>[^<]*(?:error|maintenance|unavailable|temporarily|too many requests|bad gateway|be right back|back soon|try again|technical difficult|interrupt)/i;
/** A 404 of a hosting platform or gateway: the whole site is missing or being worked on, not one car's label. */
const NO_SITE =
  /NoSuchBucket|DEPLOYMENT_NOT_FOUND|default backend|no such app|no route matched|Front Door Service configuration|GitHub Pages site here|(?:web ?site|host(?:name)?|domain|application|service|backend|upstream|route)(?: was)? not found|unknown (?:site|domain|host)|<(?:title|h1|h2)\b[^<>]*>[^<]*(?:maintenance|temporarily|be right back)/i;
const REFUSED_STATUSES = new Set([401, 403, 407, 429, 451, 503]);
/** For a 429 without Retry-After. */
const TOO_MANY_REQUESTS_MS = 30_000;

function judgeText(source: Source, vin: string, received: SourceResponse, body: Buffer): Outcome {
  const { status } = received;
  const text = textOfBody(body);
  const retryAfterMs = retryAfter(received) ?? (status === 429 ? TOO_MANY_REQUESTS_MS : undefined);
  const isPage = /<(!doctype|html|head|body|title)\b/i.test(text.slice(0, 4000));
  if (REFUSED_STATUSES.has(status)) return { kind: 'refused', why: whyRefused(status), retryAfterMs };
  if ([...(source.refused ?? []), ...(isPage ? BLOCK_PAGES : [])].some((pattern) => pattern.test(text))) {
    return { kind: 'refused', why: 'blocked', retryAfterMs };
  }
  if (status >= 500) return { kind: 'failed', why: 'server-error', retryAfterMs };
  // Only these can mean "none": firewalls send their challenges with 202, gateways their own errors with 400, and a 410
  // means that the URL was given up, not that this car has no label.
  const isPlainOk = status === 200;
  const isNotFound = status === 404;
  const saysNone = (isPlainOk || isNotFound) && !isPage && source.none.some((pattern) => pattern.test(text));
  if (saysNone && isCompleteJson(text)) {
    return isAboutOtherCar(text, vin)
      ? { kind: 'failed', why: 'wrong-vin' }
      : { kind: 'none', why: 'says-none' };
  }
  if (isNotFound && source.notFound === 'none' && !NO_SITE.test(text)) {
    return { kind: 'none', why: 'not-found' };
  }
  if (isPage && (isPlainOk || isNotFound) && isNonePage(source, text)) return { kind: 'none', why: 'page' };
  const isOk = status >= 200 && status < 300;
  if (!isOk) return { kind: 'failed', why: isNotFound || status === 410 ? 'not-found' : 'bad-status' };
  // The body may have been shortened, so white space of that length may precede anything.
  if (text.trim() === '' && body.length < MAX_TEXT_BYTES) {
    return source.empty === 'none' && isPlainOk && body.length === 0
      ? { kind: 'none', why: 'empty' }
      : { kind: 'failed', why: 'empty' };
  }
  return { kind: 'failed', why: isPage ? 'page' : 'unexpected' };
}

/** A proxy or gateway may send an old response again, for another car. */
function isAboutOtherCar(text: string, vin: string): boolean {
  const vins = printedVins(text).filter(({ certain }) => certain);
  return vins.length > 0 && !vins.some((found) => found.vin === vin);
}

/** Only a complete page of the source's own website: proxies and firewalls send pages too. */
function isNonePage({ page }: Source, text: string): boolean {
  return page !== 'failed' && page.test(text) && !ERROR_PAGE.test(text) && isCompletePage(text);
}

function whyRefused(status: number): string {
  if (status === 429) return 'too-many-requests';
  return status === 503 ? 'unavailable' : 'blocked';
}

/** Retry-After in milliseconds: the header has seconds or a date. */
function retryAfter({ headers }: SourceResponse): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

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

/** Decodes base64 with white space in it, also as the rest of a JSON string; null for anything else. */
function decodeBase64(body: Buffer, from: number): Buffer | null {
  // A JSON string that was cut off has no closing quote.
  const given = body.toString('latin1', from).trimEnd().replace(/"$/, '');
  const text = given.includes('\\') ? unescaped(given) : given;
  return text !== null && /^[\w+/\-\s]*(?:=\s*){0,2}$/.test(text) ? Buffer.from(text, 'base64') : null;
}

/** The content of a JSON string. */
function unescaped(content: string): string | null {
  try {
    return JSON.parse(`"${content}"`) as string;
  } catch {
    return null;
  }
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
const isCompletePage = (text: string): boolean =>
  /<\/html\s*>|<\/\w{1,20}\s{0,20}>$/i.test(text.trimEnd().slice(-TEXT_END_BYTES));

/** Whether nothing is missing at the end of JSON. Other text has no end that could be missing. */
function isCompleteJson(text: string): boolean {
  if (!/^[\ufeff\s]*[{[]/.test(text)) return true;
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

/** A body as text. Decodes numeric entities, which some CDNs use in the URLs of their error pages. */
function textOfBody(body: Buffer): string {
  return judgedPart(body)
    .toString('utf8')
    .replace(/&#(\d{1,5});/g, (_, code: string) => String.fromCharCode(Number(code)));
}
