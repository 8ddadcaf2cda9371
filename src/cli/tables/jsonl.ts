import { rowError, type Row } from './table.ts';

/** The rows of JSON Lines, with a cell for each of the columns. Blank lines are no rows. */
export function parseJsonLines(text: string, columns: readonly string[], firstRow: number): Row[] {
  const rows: Row[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() !== '') rows.push(rowOf(line, columns, firstRow + index));
  }
  return rows;
}

function rowOf(line: string, columns: readonly string[], number: number): Row {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw rowError(number, "isn't valid JSON.");
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw rowError(number, "isn't a JSON object.");
  const { ...extra } = value as Record<string, unknown>;
  const cells = columns.map((name) => {
    const cell = extra[name];
    delete extra[name];
    return cell;
  });
  return Object.keys(extra).length > 0 ? { number, cells, extra } : { number, cells };
}

/** Cells that are undefined are left out. */
export function jsonLine(cells: readonly unknown[], columns: readonly string[], extra?: object): string {
  const object: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index++) {
    if (cells[index] !== undefined) object[columns[index]!] = cells[index];
  }
  return `${JSON.stringify(extra ? { ...extra, ...object } : object)}\n`;
}
