import { rowError, type ColumnType } from './table.ts';

export interface JsonRow {
  number: number;
  object: Record<string, unknown>;
}

/** The objects of JSON Lines. Blank lines are no rows. */
export function parseJsonLines(text: string, firstRow: number): JsonRow[] {
  const rows: JsonRow[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() !== '') rows.push({ number: firstRow + index, object: objectIn(line, firstRow + index) });
  }
  return rows;
}

function objectIn(line: string, number: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw rowError(number, "isn't valid JSON.");
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw rowError(number, "isn't a JSON object.");
  return value as Record<string, unknown>;
}

/** The fields of the first rows, and their types if every row has the same. */
export function jsonColumns(rows: readonly JsonRow[]): { columns: string[]; types: ColumnType[] } {
  const types = new Map<string, ColumnType>();
  for (const { object } of rows) {
    for (const [name, value] of Object.entries(object)) {
      const type = typeof value === 'number' ? 'double' : typeof value === 'boolean' ? 'boolean' : 'text';
      const known = types.get(name);
      if (value !== null || known === undefined)
        types.set(name, known === undefined || known === type ? type : 'text');
    }
  }
  return { columns: [...types.keys()], types: [...types.values()] };
}
