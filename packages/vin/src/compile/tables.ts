/** The column `updatedon`, or where that is null `createdon`. */
const DATE = 'date';

/** The tables that decoding needs, with the minimum number of rows in a real release. */
const TABLES: Record<string, { columns: string[]; minRows: number }> = {
  wmi: {
    columns: ['id', 'wmi', 'manufacturerid', 'vehicletypeid', 'trucktypeid', 'publicavailabilitydate'],
    minRows: 6000,
  },
  wmi_make: { columns: ['wmiid', 'makeid'], minRows: 6000 },
  wmi_vinschema: { columns: ['wmiid', 'vinschemaid', 'yearfrom', 'yearto'], minRows: 15000 },
  vinschema: { columns: ['id', 'tobeqced'], minRows: 10000 },
  pattern: {
    columns: ['id', 'vinschemaid', 'keys', 'elementid', 'attributeid', DATE],
    minRows: 800_000,
  },
  element: {
    columns: ['id', 'name', 'lookuptable', 'isprivate', 'groupname', 'decode', 'weight', 'code', 'datatype'],
    minRows: 100,
  },
  make: { columns: ['id', 'name'], minRows: 5000 },
  model: { columns: ['id', 'name'], minRows: 15000 },
  make_model: { columns: ['makeid', 'modelid'], minRows: 15000 },
  manufacturer: { columns: ['id', 'name'], minRows: 10000 },
  vehicletype: { columns: ['id', 'name'], minRows: 5 },
  enginemodel: { columns: ['id', 'name'], minRows: 100 },
  enginemodelpattern: {
    columns: ['id', 'enginemodelid', 'elementid', 'attributeid', DATE],
    minRows: 500,
  },
  conversion: { columns: ['id', 'fromelementid', 'toelementid', 'formula'], minRows: 4 },
  vehiclespecschema: { columns: ['id', 'makeid', 'vehicletypeid', 'tobeqced'], minRows: 2000 },
  vspecschemapattern: { columns: ['id', 'schemaid'], minRows: 4000 },
  vehiclespecpattern: {
    columns: ['id', 'vspecschemapatternid', 'iskey', 'elementid', 'attributeid', DATE],
    minRows: 50_000,
  },
  vehiclespecschema_model: { columns: ['vehiclespecschemaid', 'modelid'], minRows: 2000 },
  vehiclespecschema_year: { columns: ['vehiclespecschemaid', 'year'], minRows: 2000 },
  defaultvalue: { columns: ['id', 'elementid', 'vehicletypeid', 'defaultvalue'], minRows: 50 },
  vinexception: { columns: ['vin', 'checkdigit'], minRows: 1000 },
  errorcode: { columns: ['id', 'name', 'weight'], minRows: 10 },
};

/** A table with more than a hundred times its minimum isn't from a real release. */
const MAX_ROWS_FACTOR = 100;

export type Tables = Map<string, Field[][]>;

export interface Patterns {
  count: number;
  id: Int32Array;
  schema: Int32Array;
  key: Int32Array;
  element: Int32Array;
  attribute: Int32Array;
  /** Microseconds. A missing date is infinitely new, because nulls sort first. */
  date: Float64Array;
  keys: string[];
  attributes: string[];
}

/** Microseconds of `2015-03-04 10:03:54.63`, as a number that orders dates. */
export function microseconds(text: Field): number {
  if (text === null) return Infinity;
  const milliseconds = Date.UTC(
    +text.slice(0, 4),
    +text.slice(5, 7) - 1,
    +text.slice(8, 10),
    +text.slice(11, 13),
    +text.slice(14, 16),
    +text.slice(17, 19),
  );
  const fraction = /\.(\d{1,6})/.exec(text.slice(19));
  return milliseconds * 1000 + (fraction ? Number(fraction[1]!.padEnd(6, '0')) : 0);
}

/** V8 makes a longer part of a text a reference to all of it, which keeps a megabyte of the dump in memory. */
const MAX_COPIED = 12;

const copied = (text: string): string => (text.length > MAX_COPIED ? Buffer.from(text).toString() : text);

class Interned {
  readonly list: string[] = [];
  readonly #ids = new Map<string, number>();
  /** The first of equal texts. */
  own(text: string): string {
    return this.list[this.id(text)]!;
  }
  id(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.list.length;
      const own = copied(text);
      this.#ids.set(own, id);
      this.list.push(own);
    }
    return id;
  }
}

/** Columns instead of rows, because 1.5 million objects would take too much memory. */
class PatternColumns {
  readonly #id = integers();
  readonly #schema = integers();
  readonly #key = integers();
  readonly #element = integers();
  readonly #attribute = integers();
  readonly #date = new Column((length) => new Float64Array(length));
  readonly #keys = new Interned();
  readonly #attributes = new Interned();

  add([id, schema, key, element, attribute, date]: Field[]): void {
    // A null key matches nothing, unlike an empty one.
    if (key === null || key === undefined) return;
    this.#id.push(Number(id));
    this.#schema.push(Number(schema));
    this.#key.push(this.#keys.id(key));
    this.#element.push(Number(element));
    this.#attribute.push(this.#attributes.id(attribute ?? ''));
    this.#date.push(microseconds(date ?? null));
  }

  done(): Patterns {
    const id = this.#id.take();
    return {
      count: id.length,
      id,
      schema: this.#schema.take(),
      key: this.#key.take(),
      element: this.#element.take(),
      attribute: this.#attribute.take(),
      date: this.#date.take(),
      keys: this.#keys.list,
      attributes: this.#attributes.list,
    };
  }
}

export interface Release {
  tables: Tables;
  patterns: Patterns;
  /** The table `vehiclespecpattern`: `schema` is its `vspecschemapatternid`, `key` its `iskey`. */
  specPatterns: Patterns;
  counts: Record<string, number>;
}

/**
 * Reads the tables that decoding needs from a dump. Throws an error that names the table if one is missing or has far too
 * few or too many rows. `checkCounts: false` is for handmade dumps.
 */
export async function readRelease(
  chunks: AsyncIterable<Buffer>,
  options: { checkCounts: boolean; progress?: (line: string) => void },
): Promise<Release> {
  const tables: Tables = new Map();
  const [patterns, specPatterns] = [new PatternColumns(), new PatternColumns()];
  const columnsOf: Record<string, PatternColumns | undefined> = {
    pattern: patterns,
    vehiclespecpattern: specPatterns,
  };
  const counts: Record<string, number> = {};

  await readTables(chunks, (table, columns): RowSink | null => {
    const wanted =
      TABLES[table]?.columns ?? (columns.includes('id') && columns.includes('name') ? ['id', 'name'] : null);
    if (!wanted) return null;
    options.progress?.(`reading ${table}`);
    const indexOf = (column: string): number => {
      const index = columns.indexOf(column);
      if (index === -1) throw new Error(`the table ${table} has no column ${column}`);
      return index;
    };
    const readers = wanted.map((column): ((row: Field[]) => Field) => {
      if (column === DATE) {
        const [updated, created] = [indexOf('updatedon'), indexOf('createdon')];
        return (row) => row[updated] ?? row[created] ?? null;
      }
      const index = indexOf(column);
      return (row) => row[index] ?? null;
    });
    counts[table] = 0;
    const rows: Field[][] = [];
    // Most values repeat, but not the first, which is the row's own id.
    const texts = new Interned();
    const inColumns = columnsOf[table];
    if (!inColumns) tables.set(table, rows);
    return (row) => {
      counts[table]!++;
      const values = readers.map((read) => read(row));
      if (inColumns) inColumns.add(values);
      else rows.push(values.map((value, index) => value && (index === 0 ? copied(value) : texts.own(value))));
    };
  });

  for (const [table, { minRows }] of Object.entries(TABLES)) {
    const count = counts[table];
    if (count === undefined) throw new Error(`the dump has no table ${table}`);
    if (options.checkCounts && (count < minRows || count > minRows * MAX_ROWS_FACTOR)) {
      throw new Error(`the table ${table} has ${count} rows, which can't be right`);
    }
  }
  for (const [id, name, lookup, isPrivate, , decode] of tables.get('element')!) {
    if (lookup && decode && isPrivate !== 't' && !tables.has(lookup.toLowerCase())) {
      throw new Error(`the dump has no table ${lookup}, which element ${id} (${name}) reads`);
    }
  }
  return { tables, patterns: patterns.done(), specPatterns: specPatterns.done(), counts };
}

/** A field as PostgreSQL's COPY writes it: null is `\N`. */
export type Field = string | null;
type RowSink = (row: Field[]) => void;

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
async function readTables(
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

/** Large enough for the system to take back when it is freed. */
const BLOCK = 2 ** 18;

/** A column that grows. An array of numbers would take twice the memory. */
export class Column<T extends Int32Array | Float64Array> {
  readonly #blocks: T[] = [];
  #count = 0;
  readonly #create: (length: number) => T;
  constructor(create: (length: number) => T) {
    this.#create = create;
  }
  push(value: number): void {
    const index = this.#count++ % BLOCK;
    if (index === 0) this.#blocks.push(this.#create(BLOCK));
    this.#blocks.at(-1)![index] = value;
  }
  /** All of it. Empties the column. */
  take(): T {
    const all = this.#create(this.#count);
    for (const [index, block] of this.#blocks.entries())
      all.set(block.subarray(0, this.#count - index * BLOCK), index * BLOCK);
    this.#blocks.length = 0;
    return all;
  }
}

export const integers = () => new Column((length) => new Int32Array(length));
