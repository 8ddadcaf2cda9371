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

function fieldsOf(line: string): Field[] {
  const fields = line.split('\t');
  return line.includes('\\') ? fields.map(unescape) : fields;
}

/**
 * Reads a plain dump as a stream. `open` is called once per table and returns a function for its rows, or null to skip it.
 * Throws if the text ends inside a table, because a truncated dump must not look like a small one.
 */
export async function readTables(
  chunks: AsyncIterable<Buffer>,
  open: (table: string, columns: string[]) => RowSink | null,
): Promise<void> {
  let table = '';
  let sink: RowSink | null = null;
  const readLine = (line: string): void => {
    // Backslashes in the data are doubled, so this line can only be the end of the rows.
    if (line === '\\.') table = '';
    else if (table !== '') {
      if (sink && line !== '') sink(fieldsOf(line));
    } else if (line.startsWith('COPY')) {
      const statement = COPY_STATEMENT.exec(line);
      if (!statement) return;
      table = statement[1]!.toLowerCase();
      const columns = statement[2]!.split(',').map((column) => column.trim().replaceAll('"', ''));
      sink = open(
        table,
        columns.map((column) => column.toLowerCase()),
      );
    }
  };
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop()!;
    for (const line of lines) readLine(line);
  }
  readLine(rest);
  if (table !== '') throw new Error(`the dump ends inside the table ${table}`);
}
