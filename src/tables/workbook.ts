import { unzipSync, zipSync, type UnzipFileInfo } from 'fflate';
import readWorkbook from 'read-excel-file/universal';
import { headerOf } from './header.ts';
import { cellText, TableError } from './table.ts';

/** Excel workbooks. Runs in browsers too. */

const MAX_PACKED_BYTES = 64 * 1024 * 1024;
/** A million cells take about 50 MB. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

const TOO_LARGE = 'This workbook is too large. Save the sheet as CSV and use that.';
const DAMAGED =
  "This isn't an Excel workbook (.xlsx), or it is damaged. Open it in Excel or LibreOffice and save it as .xlsx or CSV.";

export interface Sheet {
  name: string;
  rows: string[][];
}

/** The rows of the first sheet that has VINs, else of the first sheet. */
export async function workbookRows(bytes: Uint8Array): Promise<{ rows: string[][]; notices: string[] }> {
  const [first, ...others] = await sheetsWithVins(bytes);
  const names = others.map(({ name }) => `"${name}"`).join(', ');
  const notice = `Read the sheet "${first?.name}" only. For the other sheets with VINs, save each as a file: ${names}.`;
  return { rows: first?.rows ?? [], notices: others.length > 0 ? [notice] : [] };
}

/** The sheets that have VINs, else the first sheet. */
export async function sheetsWithVins(bytes: Uint8Array): Promise<Sheet[]> {
  if (bytes.length > MAX_PACKED_BYTES) throw new TableError(TOO_LARGE);
  const sheets = await readWorkbook(checkedArchive(bytes)).catch((error: unknown) => {
    throw new TableError(DAMAGED, { cause: error });
  });
  const all = sheets.map(({ sheet, data }) => ({ name: sheet, rows: data.map((row) => row.map(cellOf)) }));
  const found = all.filter(({ rows }) => hasVins(rows));
  return found.length > 0 ? found : all.slice(0, 1);
}

/** The archive's XML, unpacked within bounds and packed again without compression: the library unpacks without any. */
function checkedArchive(bytes: Uint8Array): ArrayBuffer {
  let size = 0;
  const isWanted = ({ name, originalSize }: UnzipFileInfo): boolean => {
    if (!/\.(?:xml|rels)$/.test(name)) return false;
    size += originalSize;
    if (size > MAX_UNPACKED_BYTES) throw new TableError(TOO_LARGE);
    return true;
  };
  try {
    // It writes no more than the size that the archive states.
    return zipSync(unzipSync(bytes, { filter: isWanted }), { level: 0 }).buffer;
  } catch (error) {
    throw error instanceof TableError ? error : new TableError(DAMAGED, { cause: error });
  }
}

function hasVins(rows: readonly string[][]): boolean {
  try {
    return rows.length > 0 && headerOf(rows.slice(0, 200)).vinColumn >= 0;
  } catch {
    return false;
  }
}

/** Excel keeps fifteen digits of a number. */
const MAX_EXACT = 1e15;

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date)
    return value
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .replace('.000Z', 'Z');
  // As Excel shows it: its other digits are lost.
  if (typeof value === 'number' && Math.abs(value) >= MAX_EXACT)
    return value.toExponential(2).replace('e', 'E');
  return cellText(value);
}
