/** A field as PostgreSQL's COPY writes it: null is `\N`. */
export type Field = string | null;
export type RowSink = (row: Field[]) => void;

const COPY_STATEMENT = /^COPY\s+(?:"?\w+"?\.)?"?(\w+)"?\s*\(([^)]*)\)\s+FROM\s+stdin;/i;
const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unescape(field: string): Field {
  if (!field.includes('\\')) return field;
  if (field === '\\N') return null;
  return field.replace(/\\(.)/gs, (_, char: string) => escapes[char] ?? char);
}

function rows(text: string, sink: RowSink): void {
  const hasEscapes = text.includes('\\');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const fields: Field[] = (line.endsWith('\r') ? line.slice(0, -1) : line).split('\t');
    if (hasEscapes) for (let i = 0; i < fields.length; i++) fields[i] = unescape(fields[i] as string);
    sink(fields);
  }
}

/**
 * Reads a plain dump as a stream. `open` is called once per table and returns a function for its rows, or null to skip it.
 * Throws if the text ends inside a table, because a truncated dump must not look like a small one.
 */
export async function readTables(
  chunks: AsyncIterable<Buffer>,
  open: (table: string, columns: string[]) => RowSink | null,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let table = '';
  let sink: RowSink | null = null;

  const outside = (bytes: Buffer, from: number): number => {
    const end = bytes.indexOf(10, from);
    if (end === -1) return -1;
    const statement = bytes[from] === 67 ? COPY_STATEMENT.exec(bytes.toString('latin1', from, end)) : null;
    if (statement) {
      table = statement[1]!.toLowerCase();
      sink = open(
        table,
        statement[2]!.split(',').map((column) => column.trim().replaceAll('"', '').toLowerCase()),
      );
    }
    return end + 1;
  };

  // The rows end with a line `\.`. Backslashes in the data are doubled, so it can't occur there.
  const inside = (bytes: Buffer, from: number): number => {
    const empty = bytes[from] === 92 && bytes[from + 1] === 46;
    const mark = empty ? from - 1 : bytes.indexOf('\n\\.', from);
    const end = mark === -1 ? bytes.lastIndexOf(10) : mark;
    if (mark === -1 && end < from) return -1;
    if (sink && end > from) rows(bytes.toString('utf8', from, end), sink);
    if (mark === -1) return end;
    table = '';
    const next = bytes.indexOf(10, mark + 1);
    return next === -1 ? bytes.length : next + 1;
  };

  for await (const chunk of chunks) {
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    let position = 0;
    while (position < bytes.length) {
      // Keep the newline before an unfinished line, so that the end mark always follows a newline.
      const next: number = table === '' ? outside(bytes, position) : inside(bytes, position);
      if (next === -1 || next === position) break;
      position = next;
    }
    rest = bytes.subarray(position);
  }
  if (table !== '') throw new Error(`the dump ends inside the table ${table}`);
}
