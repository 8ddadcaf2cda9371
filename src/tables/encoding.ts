import { TableError } from './table.ts';

/** The encodings in which offices save text. Runs in browsers too. */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

export interface TextStart {
  encoding: Encoding;
  /** The bytes of a byte order mark. */
  bom: number;
}

/** How text is encoded, from its first bytes. Windows-1252 shows only later, see `textOf`. */
export function encodingOf(bytes: Uint8Array): TextStart {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', bom: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', bom: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', bom: 2 };
  // Text without a mark: every other byte of a header in UTF-16 is zero.
  if (b === 0 && a !== 0 && bytes[3] === 0) return { encoding: 'utf-16le', bom: 0 };
  if (a === 0 && b !== 0 && c === 0) return { encoding: 'utf-16be', bom: 0 };
  return { encoding: 'utf-8', bom: 0 };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const windows = new TextDecoder('windows-1252');
const NEWLINE = 10;

/** Text of UTF-8; lines that aren't UTF-8 are Windows-1252. `line`: the first of those, counted from 0. */
export function textOf(bytes: Uint8Array): { text: string; windowsLine: number | null } {
  try {
    return { text: utf8.decode(bytes), windowsLine: null };
  } catch {
    return mixedText(bytes);
  }
}

function mixedText(bytes: Uint8Array): { text: string; windowsLine: number | null } {
  let [text, line, start] = ['', 0, 0];
  let windowsLine: number | null = null;
  while (start < bytes.length) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found === -1 ? bytes.length : found + 1;
    const part = bytes.subarray(start, end);
    try {
      text += utf8.decode(part);
    } catch {
      text += windows.decode(part);
      windowsLine ??= line;
    }
    line++;
    start = end;
  }
  return { text, windowsLine };
}

/** Refuses what has letters only by chance. Photos have a tenth of these, text hardly any. */
export function checkText(bytes: Uint8Array): void {
  const control = bytes.filter((byte) => byte < 9 || (byte > 13 && byte < 32)).length;
  if (control * 50 > bytes.length) throw new TableError(`This isn't text. ${SAVE}`);
  const start = textOf(bytes.subarray(0, 1_000)).text.trimStart();
  // What many programs call .xls.
  if (/^<(?:!|\?xml|html|table|meta|style)/i.test(start))
    throw new TableError(`This is HTML or XML. ${SAVE}`);
  if (/^\[\s*\{/.test(start))
    throw new TableError('This is a JSON array. Save it as CSV, or as JSON Lines with one object per line.');
}

const SAVE = 'Open it in Excel or LibreOffice and save it as .xlsx or CSV.';
