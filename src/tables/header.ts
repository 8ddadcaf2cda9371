import { TableError } from './table.ts';
import { isVinCell } from './vin-cell.ts';

/** Finds the header of a table and the column with the VINs. Runs in browsers too. */

/** Where the rows begin, and what their columns are called. */
export interface Header {
  columns: string[];
  /** How many rows come before the first row of data. */
  skipped: number;
  /** How many of them are a title above the header. */
  above: number;
  vinColumn: number;
  notices: string[];
}

/** `VIN`, `VIN_NUM`, `VehVin`, `Full VIN`, `Vehicle Identification Nbr`, … without spaces and marks. */
const VIN_NAME =
  /^(?:full|veh|vehicle|car|auto|unit|stock)?vins?(?:17)?(?:number|num|nbr|no|nr|code|id)?$|^vehicleid(?:entification)?(?:number|num|nbr|no|nr|code)$/;
/** Also the name of other numbers, so the cells decide. */
const MAYBE_VIN_NAME =
  /^(?:(?:full|vehicle|veh|unit)?(?:serial|chassis|frame)(?:number|num|nbr|no|nr)?|vehicleid|unitid)$/;
const PRICE_NAME =
  /^(?:asking|list|sale|sales|selling|internet|our|dealer|retail|advertised|web|online|special|current)?price(?:usd)?$|^(?:asking|internetspecial)$/;

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

export const isVinName = (name: string): boolean => VIN_NAME.test(plainName(name));

/** A header is looked for in this many rows. */
const MAX_ABOVE = 30;
const MIN_SHARE = 0.5;

export interface HeaderOptions {
  /** The name of the column with the VINs, if the caller gave one. */
  vinColumn?: string | null;
}

/** `rows`: the first rows of the table, the more the surer. */
export function headerOf(rows: readonly (readonly string[])[], { vinColumn }: HeaderOptions = {}): Header {
  const above = headerRow(rows, vinColumn ?? null);
  if (above === null) return withoutHeader(rows, vinColumn ?? null);
  const columns = rows[above]!.map((name, index) => name.trim() || `column_${index + 1}`);
  const data = rows.slice(above + 1);
  const notices =
    above === 0 ? [] : [`Left out ${above === 1 ? 'the line' : `${above} lines`} above the header.`];
  return {
    columns,
    skipped: above + 1,
    above,
    vinColumn: vinColumnOf(columns, data, vinColumn ?? null),
    notices,
  };
}

/** The index of the row that names the columns; null if there is none. */
function headerRow(rows: readonly (readonly string[])[], given: string | null): number | null {
  const first = rows.slice(0, MAX_ABOVE);
  const names = (row: readonly string[], test: (name: string) => boolean) =>
    row.some((name) => test(plainName(name)));
  if (given !== null) {
    const named = first.findIndex((row) => names(row, (name) => name === plainName(given)));
    if (named !== -1) return named;
  }
  const named = first.findIndex((row) => names(row, (name) => VIN_NAME.test(name)) && !row.some(isVinCell));
  if (named !== -1) return named;
  const data = first.findIndex((row) => row.some(isVinCell));
  if (data === 0) return null;
  // Without VINs, the first row is as good as any.
  return data === -1 ? 0 : data - 1;
}

function withoutHeader(rows: readonly (readonly string[])[], given: string | null): Header {
  const vins = firstVinColumn(rows);
  const width = Math.max(0, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, index) =>
    index === vins ? 'vin' : `column_${index + 1}`,
  );
  const notice = 'Row 1 has a VIN, so the columns have no names. They are called vin, column_2 and so on.';
  return {
    columns,
    skipped: 0,
    above: 0,
    vinColumn: vinColumnOf(columns, rows, given),
    notices: columns.length > 1 ? [notice] : [],
  };
}

const columnShare = (rows: readonly (readonly string[])[], column: number): number => {
  const filled = rows.map((row) => row[column] ?? '').filter((text) => text.trim() !== '');
  return filled.length === 0 ? 0 : filled.filter(isVinCell).length / filled.length;
};

function firstVinColumn(rows: readonly (readonly string[])[]): number {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const shares = Array.from({ length: width }, (_, column) => columnShare(rows, column));
  const best = Math.max(0, ...shares);
  return best >= MIN_SHARE ? shares.indexOf(best) : -1;
}

const shownColumns = (columns: readonly string[]): string =>
  columns
    .slice(0, 30)
    .map((name) => name.slice(0, 40))
    .join(', ');

/** Several columns of one name are called `VIN`, `VIN_2` and so on. */
export function uniqueNames(columns: readonly string[]): string[] {
  const names = new Set<string>();
  for (const column of columns) {
    let name = column;
    for (let number = 2; names.has(name); number++) name = `${column}_${number}`;
    names.add(name);
  }
  return [...names];
}

/** The index of a column that the caller named. */
export function namedColumn(columns: readonly string[], given: string): number {
  const exact = uniqueNames(columns).indexOf(given);
  const index =
    exact === -1 ? columns.findIndex((name) => name.toLowerCase() === given.trim().toLowerCase()) : exact;
  if (index === -1)
    throw new TableError(`There is no column "${given.slice(0, 40)}". Columns: ${shownColumns(columns)}.`);
  return index;
}

/** The column with the VINs: the one that is named, else called VIN, else full of VINs. */
export function vinColumnOf(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  given: string | null,
): number {
  if (given !== null) return namedColumn(columns, given);
  const hasVins = (index: number): boolean => rows.some((row) => isVinCell(row[index] ?? ''));
  const called = (pattern: RegExp) =>
    columns.flatMap((name, index) => (pattern.test(plainName(name)) ? [index] : []));
  const sure = called(VIN_NAME);
  const filled = sure.filter(hasVins);
  if (filled.length > 1 && new Set(filled.map((index) => plainName(columns[index]!))).size === 1) {
    const names = filled.map((index) => uniqueNames(columns)[index]);
    throw new TableError(
      `Two columns are called ${columns[filled[0]!]}. Choose one with --vin-column: ${names.join(' or ')}.`,
    );
  }
  const [found = sure[0]] = filled;
  if (found !== undefined) return found;
  const maybe = called(MAYBE_VIN_NAME).find(hasVins);
  if (maybe !== undefined) return maybe;
  const byContent = firstVinColumn(rows);
  if (byContent !== -1) return byContent;
  throw new TableError(
    `No column is called VIN or has VINs in its first rows. Columns: ${shownColumns(columns)}. Name the column with --vin-column.`,
  );
}

/** The column with the asking price, or null. */
export function priceColumnOf(columns: readonly string[], given: string | null): number | null {
  if (given !== null) return namedColumn(columns, given);
  const index = columns.findIndex((name) => PRICE_NAME.test(plainName(name)));
  return index === -1 ? null : index;
}

/** `$24,995.00`, `24.995,00` or `24995` in cents; null if it isn't a price. */
export function centsIn(text: string): number | null {
  const bare = text.replace(/[\s$€£]|USD|CAD/gi, '').replace(/^="(.*)"$/, '$1');
  // `24.995,00` and `24995,0`, as many countries write it.
  const plain = /^-?[\d.]+,\d{1,2}$/.test(bare) ? bare.replaceAll('.', '').replace(',', '.') : bare;
  if (!/^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/.test(plain)) return null;
  return Math.round(Number(plain.replaceAll(',', '')) * 100);
}
