import {
  alignedCells,
  csvLine,
  delimiterOf,
  parseRows,
  unevenNotice,
  windowsNotice,
  type CsvRow,
} from './csv.ts';
import { checkText, encodingOf, textOf } from './encoding.ts';
import { headerOf, type HeaderOptions } from './header.ts';
import { TableError } from './table.ts';

/** For pages: reads pasted text, CSV in any encoding and workbooks, and writes CSV. Needs no Node. */

export { csvLine } from './csv.ts';
export { centsIn, priceColumnOf } from './header.ts';
export { cellsInOrder, labelCells, NOTHING, STICKER_COLUMNS, type StickerCells } from './sticker-cells.ts';
export { TableError } from './table.ts';
export { vinIn } from './vin-cell.ts';

/** A table in memory. */
export interface SmallTable {
  columns: string[];
  /** Each with a cell for each column. */
  rows: string[][];
  vinColumn: number;
  delimiter: string;
  /** Whether the text began with a byte order mark. */
  bom: boolean;
  /** What the reader should know: lines left out, the encoding, cells without a column. */
  notices: string[];
  /** The sheets of a workbook that have VINs. The table is the first, or the one that was asked for. */
  sheets: string[];
}

const SAMPLE_ROWS = 200;
const isWorkbook = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** Reads a file that a visitor chose. Throws TableError. */
export async function readFile(
  bytes: Uint8Array,
  options?: HeaderOptions & { sheet?: string | undefined },
): Promise<SmallTable> {
  if (isWorkbook(bytes)) {
    const { sheetsWithVins } = await import('./workbook.ts');
    const sheets = await sheetsWithVins(bytes);
    const { rows } = sheets.find(({ name }) => name === options?.sheet) ?? sheets[0] ?? { rows: [] };
    const table = tableOf(
      rows.map((cells, index) => ({ number: index + 1, cells })),
      ',',
      options,
    );
    return { ...table, sheets: sheets.map(({ name }) => name) };
  }
  const { encoding, bom } = encodingOf(bytes);
  const body = bytes.subarray(bom);
  if (encoding === 'utf-8') checkText(body);
  const { text, windowsLine } =
    encoding === 'utf-8' ? textOf(body) : { text: new TextDecoder(encoding).decode(body), windowsLine: null };
  const table = readText(text, options);
  const notices = windowsLine === null ? [] : [windowsNotice(windowsLine + 1)];
  return { ...table, bom: bom > 0, notices: [...notices, ...table.notices] };
}

/** Reads text that a visitor pasted: CSV, cells of a spreadsheet, or VINs alone. Throws TableError. */
export function readText(given: string, options?: HeaderOptions): SmallTable {
  // "CSV (Macintosh)" of Excel ends rows with returns alone.
  const text = given.includes('\n') ? given : given.replaceAll('\r', '\n');
  const delimiter = delimiterOf(text.split('\n', SAMPLE_ROWS));
  return tableOf(parseRows(text, delimiter, 1), delimiter, options);
}

function tableOf(all: readonly CsvRow[], delimiter: string, options?: HeaderOptions): SmallTable {
  const rows = all.filter(({ cells }) => cells.some((text) => text.trim() !== ''));
  if (rows.length === 0) throw new TableError('There is nothing here.');
  const { columns, skipped, vinColumn, notices } = headerOf(
    rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells),
    options,
  );
  const data = rows.slice(skipped);
  const uneven = (is: 'more' | 'fewer', test: (cells: number) => boolean): string[] => {
    const found = data.filter(({ cells }) => test(cells.length));
    return found.length === 0 ? [] : [unevenNotice(is, found.length, found[0]!.number, columns.at(-1)!)];
  };
  const more = uneven('more', (cells) => cells > columns.length);
  const fewer = uneven('fewer', (cells) => cells < columns.length);
  return {
    columns,
    rows: data.map(({ cells }) => alignedCells(cells, columns.length, delimiter)),
    vinColumn,
    delimiter,
    bom: false,
    sheets: [],
    notices: [...notices, ...more, ...fewer],
  };
}

/** The whole table as CSV. */
export function writeCsv(
  columns: readonly string[],
  rows: Iterable<readonly unknown[]>,
  { delimiter = ',', bom = false }: { delimiter?: string; bom?: boolean } = {},
): string {
  let text = (bom ? '\ufeff' : '') + csvLine(columns, delimiter);
  for (const row of rows) text += csvLine(row, delimiter);
  return text;
}
