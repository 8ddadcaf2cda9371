import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { cellText, rowError, type Row } from './table.ts';

const DELIMITERS = [',', ';', '\t', '|'];

/** The character that separates the cells of a header. */
export function delimiterOf(header: string): string {
  const outsideQuotes = header.replace(/"[^"]*"/g, '');
  const count = (delimiter: string) => outsideQuotes.split(delimiter).length;
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** The rows of CSV text that begins and ends between two rows. Blank lines are no rows. */
export function parseCsv(
  text: string,
  delimiter: string,
  firstRow: number,
): { number: number; cells: string[] }[] {
  try {
    const records = parse(text, { delimiter, relax_column_count: true });
    return records
      .map((cells, index) => ({ number: firstRow + index, cells }))
      .filter(({ cells }) => cells.length > 1 || cells[0] !== '');
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = firstRow + ((error as CsvError & { records?: number }).records ?? 0);
    throw rowError(row, 'has a quotation mark that is never closed, or one in the middle of a cell.');
  }
}

/** Gives each row as many cells as there are columns. Missing ones at its end are empty. */
export function alignedRow({ number, cells }: { number: number; cells: string[] }, columns: number): Row {
  while (cells.length > columns && cells.at(-1) === '') cells.pop();
  if (cells.length > columns)
    throw rowError(number, `has ${cells.length} cells, but the header has ${columns}.`);
  while (cells.length < columns) cells.push('');
  return { number, cells };
}

/** Spreadsheets run cells that begin with these as formulas, but not plain numbers. */
const FORMULA = /^[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/;
const NUMBER = /^[+-]?\d+(?:[.,]\d+)*$/;
/** Where a formula begins for those who split at another delimiter, as Excel does in many countries: they don't see the quotation marks. */
const INNER_FORMULA = /[,;|\t\r\n]"*(?=[=+\-@\uff0b\uff0d\uff1d\uff20])(?![+-]\d[\d.,]*(?:[;|\t\r\n]|$))/g;
const NEEDS_QUOTES = /[",;|\t\r\n]/;

export function csvLine(cells: readonly unknown[], delimiter: string): string {
  let line = '';
  for (let index = 0; index < cells.length; index++) {
    let text = cellText(cells[index]);
    if (text !== '') {
      if (FORMULA.test(text) && !NUMBER.test(text)) text = `'${text}`;
      if (NEEDS_QUOTES.test(text)) {
        const guarded = text
          .replaceAll('"', '""')
          .replace(INNER_FORMULA, (found) => (found.startsWith(delimiter) ? found : `${found}'`));
        text = `"${guarded}"`;
      }
    }
    line += index === 0 ? text : delimiter + text;
  }
  return `${line}\n`;
}
