import { FIRST_YEAR, PAIR_MASK } from '../layout.ts';
import { MAKE, fold, type Pair, type Pairs } from './elements.ts';
import { groupBy } from '../group-by.ts';
import type { Patterns, Release } from './tables.ts';

interface SpecPattern {
  keys: { element: number; fold: string }[];
  /** Indexes in `Specs`. */
  rows: number[];
  schema: SpecSchema;
}

interface SpecSchema {
  id: number;
  make: Pair;
  type: number;
  models: number[];
  years: number[];
  patterns: SpecPattern[];
}

/** The schemas, and by row of `vehiclespecpattern` what it contributes: 200,000 objects would take too much memory. */
interface Specs {
  schemas: SpecSchema[];
  rows: Pick<Patterns, 'id' | 'date'>;
  pairs: Pair[];
  schemaOf: SpecSchema[];
}

const PAIR_BITS = 18;

/** The vehicle specs that are published and can apply. */
export function readSpecs({ tables, specPatterns: rows }: Release, pairs: Pairs): Specs {
  const schemas = new Map<number, SpecSchema>();
  for (const [id, make, type, unchecked] of tables.get('vehiclespecschema')!) {
    if (unchecked === 't') continue;
    schemas.set(Number(id), {
      id: Number(id),
      make: pairs.of(MAKE, make ?? ''),
      type: Number(type),
      models: [],
      years: [],
      patterns: [],
    });
  }
  for (const [schema, model] of tables.get('vehiclespecschema_model')!)
    schemas.get(Number(schema))?.models.push(Number(model));
  for (const [schema, year] of tables.get('vehiclespecschema_year')!)
    schemas.get(Number(schema))?.years.push(Number(year));
  const patterns = new Map<number, SpecPattern>();
  for (const [id, schemaId] of tables.get('vspecschemapattern')!) {
    const schema = schemas.get(Number(schemaId));
    if (!schema) continue;
    const pattern: SpecPattern = { keys: [], rows: [], schema };
    schema.patterns.push(pattern);
    patterns.set(Number(id), pattern);
  }
  const specs: Specs = { schemas: [], rows, pairs: [], schemaOf: [] };
  for (let row = 0; row < rows.count; row++) {
    const spec = patterns.get(rows.schema[row]!);
    if (!spec) continue;
    const [element, attribute] = [rows.element[row]!, rows.attributes[rows.attribute[row]!]!];
    if (rows.keys[rows.key[row]!] === 't') spec.keys.push({ element, fold: fold(attribute) });
    else {
      spec.rows.push(row);
      specs.pairs[row] = pairs.of(element, attribute);
      specs.schemaOf[row] = spec.schema;
    }
  }
  specs.schemas = [...schemas.values()].sort((a, b) => a.id - b.id);
  return specs;
}

/** Whether two rows can be candidates for the same vehicle. */
function canCompete(a: SpecSchema, b: SpecSchema): boolean {
  if (a.type !== b.type) return false;
  return a.years.length === 0 || b.years.length === 0 || a.years.some((year) => b.years.includes(year));
}

/** Of rows that can be candidates together, the newest has the lowest level. */
function levelsOf({ schemas, rows: { id, date }, pairs, schemaOf }: Specs): Int32Array {
  const uses = schemas.flatMap((schema) => schema.models.map((model) => ({ model, schema })));
  const byModel = groupBy(uses, ({ model }) => model);
  const competitorsOf = (schema: SpecSchema) => {
    const others = new Set(schema.models.flatMap((model) => byModel.get(model)!.map((use) => use.schema)));
    return [...others].filter((other) => canCompete(schema, other));
  };
  const competitors = new Map(schemas.map((schema) => [schema, competitorsOf(schema)]));
  const rows = schemas.flatMap((schema) => schema.patterns.flatMap((pattern) => pattern.rows));
  rows.sort((a, b) => date[b]! - date[a]! || id[a]! - id[b]!);
  const levels = new Int32Array(id.length);
  const lastLevel = new Map<SpecSchema, Map<number, number>>();
  for (const row of rows) {
    const element = pairs[row]!.element.id;
    const schema = schemaOf[row]!;
    let next = 0;
    for (const other of competitors.get(schema)!)
      next = Math.max(next, (lastLevel.get(other)?.get(element) ?? -1) + 1);
    levels[row] = next;
    const own = lastLevel.get(schema) ?? new Map<number, number>();
    own.set(element, next);
    lastLevel.set(schema, own);
  }
  if (levels.some((level) => level > 2 ** (32 - PAIR_BITS) - 1))
    throw new Error('the table vehiclespecpattern has more competing rows than the file can order');
  return levels;
}

interface SpecWords {
  words: number[];
  /** Model id → the start of its schemas. */
  byModel: Map<number, number[]>;
}

/**
 * Per schema: make, type, two words of years (one bit each, all set if it lists none), number of patterns;
 * per pattern: keys << 16 | rows, the folded pairs of its keys, then level << 18 | pair per row.
 */
export function specWords(
  specs: Specs,
  foldedPair: (element: number, folded: string) => number | undefined,
): SpecWords {
  const { rows: all, pairs } = specs;
  const levels = levelsOf(specs);
  const words: number[] = [];
  const byModel = new Map<number, number[]>();
  for (const schema of specs.schemas) {
    const patterns: number[][] = [];
    for (const pattern of schema.patterns) {
      const keys = pattern.keys.map((key) => foldedPair(key.element, key.fold));
      const impossible = keys.includes(undefined) || new Set(keys).size < keys.length || keys.length === 0;
      if (impossible || pattern.rows.length === 0) continue;
      const rows = [...pattern.rows].sort((a, b) => pairs[a]!.id - pairs[b]!.id || all.id[a]! - all.id[b]!);
      patterns.push([
        (keys.length << 16) | rows.length,
        ...keys.map(Number).sort((a, b) => a - b),
        ...rows.map((row) => (levels[row]! << PAIR_BITS) | (pairs[row]!.id & PAIR_MASK)),
      ]);
    }
    if (patterns.length === 0) continue;
    const years: [number, number] = schema.years.length === 0 ? [-1, -1] : [0, 0];
    for (const year of schema.years) {
      const bit = year - FIRST_YEAR;
      if (bit >= 0 && bit < 32) years[0] |= 1 << bit;
      if (bit >= 32 && bit < 63) years[1] |= 1 << (bit - 32);
    }
    for (const model of new Set(schema.models)) {
      const list = byModel.get(model);
      if (list) list.push(words.length);
      else byModel.set(model, [words.length]);
    }
    words.push(schema.make.id, schema.type, years[0], years[1], patterns.length, ...patterns.flat());
  }
  return { words, byModel };
}
