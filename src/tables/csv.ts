import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { cellText, rowError } from './table.ts';

/** CSV as spreadsheets and databases write it. Runs in browsers too. */

const DELIMITERS = [',', ';', '\t', '|'];

/** The character that separates cells: the one that most lines have, and most of it. */
export function delimiterOf(lines: readonly string[]): string {
  const counts = DELIMITERS.map((delimiter) => {
    const cells = lines.map((line) => line.replace(/"[^"]*"/g, '').split(delimiter).length - 1);
    const having = cells.filter((count) => count > 0).length;
    return { delimiter, having, most: Math.max(0, ...cells) };
  });
  // A sentence above the header has commas, the rows below have what separates cells.
  return counts.reduce((best, next) =>
    next.having > best.having || (next.having === best.having && next.most > best.most) ? next : best,
  ).delimiter;
}

/** The rows of text that begins and ends between two rows. Blank lines are no rows, but they count. */
export function parseRows(text: string, delimiter: string, firstRow: number): CsvRow[] {
  const rows: CsvRow[] = [];
  if (text.includes('"')) {
    for (const [index, cells] of parsed(text, delimiter, firstRow).entries())
      if (cells.length > 1 || cells[0] !== '') rows.push({ number: firstRow + index, cells });
    return rows;
  }
  // Most files have no quotation marks, and then there is nothing to parse.
  let [start, number] = [0, firstRow];
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const line = text.slice(start, text.charCodeAt(end - 1) === RETURN && end > start ? end - 1 : end);
    if (line !== '') rows.push({ number, cells: line.split(delimiter) });
    start = end + 1;
    number++;
  }
  return rows;
}

const RETURN = 13;

/** One column of the rows, for which other cells need not be cut out. Null if the text has quotation marks. */
export function parseColumn(
  text: string,
  delimiter: string,
  firstRow: number,
  column: number,
): { numbers: number[]; texts: string[] } | null {
  if (text.includes('"')) return null;
  const numbers: number[] = [];
  const texts: string[] = [];
  for (let start = 0, number = firstRow; start < text.length; number++) {
    const found = text.indexOf('\n', start);
    const next = found === -1 ? text.length : found;
    const end = next > start && text.charCodeAt(next - 1) === RETURN ? next - 1 : next;
    if (end > start) {
      numbers.push(number);
      texts.push(cellAt(text, delimiter, start, end, column));
    }
    start = next + 1;
  }
  return { numbers, texts };
}

function cellAt(text: string, delimiter: string, start: number, end: number, column: number): string {
  const separator = delimiter.charCodeAt(0);
  let from = start;
  let passed = 0;
  // Not `indexOf`: for the last cell of a row it would search all the rows after it.
  for (let at = start; at < end; at++) {
    if (text.charCodeAt(at) !== separator) continue;
    if (passed++ === column) return text.slice(from, at);
    from = at + 1;
  }
  return passed === column ? text.slice(from, end) : '';
}

export interface CsvRow {
  /** As people count: the first row of a file is row 1. */
  number: number;
  cells: string[];
}

/**
 * A row with as many cells as there are columns: missing ones are empty. More are usually a text with a delimiter and without
 * quotation marks, so they are kept together in the last column.
 */
export function alignedCells(cells: string[], width: number, delimiter: string): string[] {
  while (cells.length > width && cells.at(-1) === '') cells.pop();
  if (cells.length > width) cells.push(cells.splice(width - 1).join(delimiter));
  while (cells.length < width) cells.push('');
  return cells;
}

/** `row`: the first that isn't UTF-8. */
export const windowsNotice = (row: number): string =>
  `Row ${row.toLocaleString('en')} isn't UTF-8, so it was read as Windows-1252. Check letters with accents.`;

/** `more`: of how many rows. `first`: the number of the first. */
export const unevenNotice = (
  is: 'more' | 'fewer',
  rows: number,
  first: number,
  lastColumn: string,
): string => {
  const have = `${rows === 1 ? `Row ${first.toLocaleString('en')} has` : `${rows.toLocaleString('en')} rows, from row ${first.toLocaleString('en')} on, have`} ${is} cells than the header.`;
  return is === 'more'
    ? `${have} The last ones are kept together in ${lastColumn}.`
    : `${have} The missing ones are empty.`;
};

function parsed(text: string, delimiter: string, firstRow: number): string[][] {
  try {
    return parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      record_delimiter: ['\r\n', '\n'],
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = firstRow + ((error as CsvError & { records?: number }).records ?? 0);
    throw rowError(row, UNCLOSED);
  }
}

export const UNCLOSED =
  'or a later one has a quotation mark that is never closed. Double it (""), or close the cell.';

/** Spreadsheets run cells that begin with these as formulas, but not plain numbers. */
const FORMULA = /^[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/;
const NUMBER = /^[+-]?\d+(?:[.,]\d+)*$/;
/** How Excel keeps digits as text. It runs nothing, whatever the delimiter. */
const QUOTED_TEXT = /^="[^",;|\t\r\n]*"$/;
/** Where a formula begins for those who split at another delimiter, as Excel does in many countries: they don't see the quotation marks. */
const INNER_FORMULA = /[,;|\t\r\n]"*(?=[=+\-@\uff0b\uff0d\uff1d\uff20])(?![+-]\d[\d.,]*(?:[;|\t\r\n]|$))/g;
const NEEDS_QUOTES = /[",;|\t\r\n]/;

/** A cell as CSV, harmless in a spreadsheet. */
export function csvCell(cell: unknown, delimiter: string): string {
  const text = cellText(cell);
  if (text === '' || QUOTED_TEXT.test(text)) return text;
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  if (!NEEDS_QUOTES.test(harmless)) return harmless;
  const guarded = harmless
    .replaceAll('"', '""')
    .replace(INNER_FORMULA, (found) => (found.startsWith(delimiter) ? found : `${found}'`));
  return `"${guarded}"`;
}

export const csvLine = (cells: readonly unknown[], delimiter: string): string =>
  `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\n`;
