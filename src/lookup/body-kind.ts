/** What a body is, by its bytes: its Content-Type is not believed. */

/** The header may follow a few stray bytes; readers accept it within the first kilobyte. */
export function isPdf(body: Buffer): boolean {
  return body.subarray(0, 1024).includes('%PDF-');
}

/** How far before its end a whole PDF says that it ends; some servers pad what follows. */
const END_REGION = 2048;

/**
 * Whether a PDF has its end. A damaged table of contents is no matter: labels with one read well. `frayed` is one
 * that stops inside that table, which comes last: everything on the page is there, and some sources keep such files.
 */
export function wholeness(pdf: Buffer): 'whole' | 'frayed' | 'cut' {
  // A file made for the web has an end mark near its beginning too, but says there how long it is in all.
  const [, length] = /\/Linearized\b[^>]*?\/L\s+(\d+)/.exec(pdf.subarray(0, 1500).toString('latin1')) ?? [];
  if (length !== undefined && pdf.length < Number(length) - END_REGION) return 'cut';
  if (pdf.subarray(-END_REGION).includes('%%EOF')) return 'whole';
  const lastObject = pdf.lastIndexOf('endobj');
  const after = lastObject < 0 ? '' : pdf.subarray(lastObject + 6, lastObject + 30).toString('latin1');
  return /^\s*xref\s/.test(after) ? 'frayed' : 'cut';
}

/** base64 of `%PDF-`, and of `{"` and `<`-something: what has been seen, or may be, under a coat of base64. */
const COATED = /^(?:JVBERi|eyJ|ewog|ey[AI]|PCFE|PGh0|PEhU|PCFk)/;

/** Takes off base64, with the quotes of a JSON string or a `data:` address around it. Anything else comes back as it is. */
export function unwrapBase64(body: Buffer): Buffer {
  const start = body
    .subarray(0, 200)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  const bare = start.replace(/^"?(?:data:[\w/+.;=-]*;base64,)?/, '');
  if (!COATED.test(bare)) return body;
  const text = body
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trim()
    .replace(/^"?(?:data:[\w/+.;=-]*;base64,)?/, '')
    .replace(/"$/, '')
    .replace(/\\[rn/]|\s/g, (seen) => (seen === '\\/' ? '/' : ''));
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : body;
}

const LONGEST_TEXT = 256 * 1024;

/** A body as text to search in, with the numeric entities that some edges hide their addresses behind resolved. */
export function plainText(body: Buffer): string {
  return body
    .subarray(0, LONGEST_TEXT)
    .toString('utf8')
    .replace(/&#(\d{1,5});/g, (_, code: string) => String.fromCharCode(Number(code)));
}
