import { isVin, vinsIn } from '@monroney/vin/text';
import { encodingOf } from '../../tables/encoding.ts';
import {
  centsIn,
  priceColumnOf,
  readFile,
  readText,
  TableError,
  vinIn,
  type SmallTable,
} from '../../tables/browser.ts';

/** The cars of a lot, from a file or pasted text. Runs in the browser. */

export const MAX_ROWS = 500;

export interface List extends Pick<SmallTable, 'columns' | 'rows' | 'vinColumn' | 'delimiter' | 'bom'> {
  /** The column with the dealer's own price; null if there is none. */
  priceColumn: number | null;
  /** What the visitor should know about the list. */
  notices: string[];
  /** Rows beyond the first 500, which aren't in it. */
  left: number;
}

/** Something that the visitor has to change. */
export class ListProblem extends Error {}

/** Several sheets of a workbook have VINs. */
export class SeveralSheets extends Error {
  readonly sheets: readonly string[];
  constructor(sheets: readonly string[]) {
    super('Several sheets of this workbook have VINs. Choose one.');
    this.sheets = sheets;
  }
}

const NO_VINS = 'There are no VINs here. A VIN has 17 letters and digits, such as 1FMUK8DH0TG000000.';

/** Reads a file that the visitor chose. Throws ListProblem or SeveralSheets. */
export async function listOfFile(bytes: Uint8Array, sheet?: string): Promise<List> {
  const problem = fileProblem(bytes);
  if (problem) throw new ListProblem(problem);
  const table = await readFile(bytes, { sheet }).catch((error: unknown) =>
    tableOfVins(bytes, ownProblem(error)),
  );
  if (sheet === undefined && table.sheets.length > 1) throw new SeveralSheets(table.sheets);
  return listOf(table);
}

/** The VINs in a file that isn't a table, such as JSON Lines. */
function tableOfVins(bytes: Uint8Array, problem: Error): SmallTable {
  const isText = problem.message === NO_VINS && !isZip(bytes);
  const vins = isText ? vinsIn(new TextDecoder(encodingOf(bytes).encoding).decode(bytes)) : [];
  if (vins.length === 0) throw problem;
  return readText(vins.join('\n'));
}

/** What an Excel workbook is. */
const isZip = ([a, b]: Uint8Array): boolean => a === 0x50 && b === 0x4b;

/** Reads pasted text: a table, cells of a spreadsheet, or text with VINs in it. Throws ListProblem. */
export function listOfText(text: string): List {
  if (text.trim() === '') throw new ListProblem('Paste VINs or a table first, or choose a file.');
  // VINs alone may be in one line. Read as a table, all but the first would be other columns.
  const words = text.split(SEPARATORS).filter(Boolean);
  const areVins = words.every((word) => vinOf(word) !== null);
  try {
    return listOf(readText(areVins ? words.join('\n') : text));
  } catch (error) {
    const vins = vinsIn(text);
    if (vins.length > 0) return listOf(readText(vins.join('\n')));
    throw ownProblem(error);
  }
}

const SEPARATORS = /[\s,;|"']+/;

/** The same problem without options of the command line. */
function ownProblem(error: unknown): Error {
  if (error instanceof ListProblem) return error;
  if (!(error instanceof TableError)) throw error;
  const [first = ''] = error.message.split('. ');
  if (first.startsWith('Two columns')) return new ListProblem(`${first}. Rename or remove one of them.`);
  return new ListProblem(first.startsWith('No column') ? NO_VINS : error.message);
}

/** Files that people choose by mistake: their first bytes, as hexadecimal digits, and what to do. */
const OTHER_FILES: readonly [RegExp, string][] = [
  [
    /^(?:89504e47|ffd8ff|47494638|424d|49492a00|4d4d002a|52494646.{8}57454250|.{8}66747970(?:686569|6d6966|617669))/,
    'This is a picture, and we can’t read VINs from pictures. Paste the VINs, or choose a CSV or Excel file.',
  ],
  [
    /^25504446/,
    'This is a PDF. Export the list as CSV or Excel, or copy the table and paste it. To read a sticker’s PDF, use the page for that.',
  ],
  [
    /^d0cf11e0/,
    'This is an old Excel file (.xls), or one with a password. Save it as .xlsx or CSV without one, then choose that.',
  ],
];

/** Why a file can't be a table; null if it may be one. */
function fileProblem(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return 'This file is empty.';
  const start = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const other = OTHER_FILES.find(([pattern]) => pattern.test(start));
  if (other) return other[1];
  // UTF-16 has zeros too.
  const isText =
    isZip(bytes) || encodingOf(bytes).encoding !== 'utf-8' || !bytes.subarray(0, 4096).includes(0);
  return isText ? null : 'This file isn’t a table. Choose a CSV or Excel file (.xlsx), or paste the table.';
}

function listOf({ columns, rows: all, vinColumn, delimiter, bom, notices }: SmallTable): List {
  const rows = all.slice(0, MAX_ROWS);
  const list = { columns, rows, vinColumn, delimiter, bom, left: all.length - rows.length };
  const vins = rows.map((row) => vinOf(row[vinColumn]!)).filter((vin) => vin !== null);
  if (vins.length === 0) throw new ListProblem(NO_VINS);
  const repeated = vins.length - new Set(vins).size;
  const more = [
    list.left > 0
      ? `Your list has ${all.length.toLocaleString('en')} rows. These are the first ${MAX_ROWS}; for all of them, use the command below.`
      : '',
    repeated > 0
      ? `${repeated === 1 ? 'One row repeats a VIN' : `${repeated} rows repeat a VIN`}. Each car is listed once.`
      : '',
  ];
  return {
    ...list,
    priceColumn: priceColumnOf(columns, null),
    notices: [...notices, ...more].filter(Boolean),
  };
}

/** The complete VIN in a cell; null if there isn't exactly one. */
export function vinOf(cell: string): string | null {
  const found = vinIn(cell);
  return 'vin' in found && isVin(found.vin) ? found.vin : null;
}

/** Why a cell has no complete VIN. */
export function vinError(cell: string): string {
  const found = vinIn(cell);
  return 'error' in found ? found.error : 'A sticker needs all 17 characters of the VIN.';
}

/** Each car once, in the order of the list, with the dealer's price in cents. */
export function carsOf({ rows, vinColumn, priceColumn }: List): Map<string, number | null> {
  const cars = new Map<string, number | null>();
  for (const row of rows) {
    const vin = vinOf(row[vinColumn]!);
    if (vin === null || cars.has(vin)) continue;
    cars.set(vin, priceColumn === null ? null : centsIn(row[priceColumn]!));
  }
  return cars;
}
