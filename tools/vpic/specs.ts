import { FIRST_YEAR, PAIR_MASK } from '../../packages/vin/src/layout.ts';
import { MAKE } from './elements.ts';
import { fold, type Pair, type Pairs } from './pairs.ts';
import { microseconds, type Tables } from './tables.ts';

interface Row {
  id: number;
  pair: Pair;
  date: number;
  level: number;
  spec: SpecPattern;
}

interface SpecPattern {
  keys: { element: number; fold: string }[];
  rows: Row[];
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

const PAIR_BITS = 18;

/** The vehicle specs that are published and can apply. */
export function readSpecs(tables: Tables, pairs: Pairs): SpecSchema[] {
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
  for (const [id, patternId, isKey, element, attribute, created, updated] of tables.get(
    'vehiclespecpattern',
  )!) {
    const spec = patterns.get(Number(patternId));
    if (!spec) continue;
    if (isKey === 't') spec.keys.push({ element: Number(element), fold: fold(attribute ?? '') });
    else {
      spec.rows.push({
        id: Number(id),
        pair: pairs.of(Number(element), attribute ?? ''),
        date: microseconds(updated ?? created ?? null),
        level: 0,
        spec,
      });
    }
  }
  return [...schemas.values()].sort((a, b) => a.id - b.id);
}

/** Whether two rows can be candidates for the same vehicle. */
function canCompete(a: SpecSchema, b: SpecSchema): boolean {
  if (a.type !== b.type) return false;
  return a.years.length === 0 || b.years.length === 0 || a.years.some((year) => b.years.includes(year));
}

/** Of rows that can be candidates together, the newest has the lowest level. */
function assignLevels(schemas: SpecSchema[]): void {
  const uses = schemas.flatMap((schema) => schema.models.map((model) => ({ model, schema })));
  const byModel = Map.groupBy(uses, ({ model }) => model);
  const competitorsOf = (schema: SpecSchema) => {
    const others = new Set(schema.models.flatMap((model) => byModel.get(model)!.map((use) => use.schema)));
    return [...others].filter((other) => canCompete(schema, other));
  };
  const competitors = new Map(schemas.map((schema) => [schema, competitorsOf(schema)]));
  const rows = schemas.flatMap((schema) => schema.patterns.flatMap((pattern) => pattern.rows));
  rows.sort((a, b) => b.date - a.date || a.id - b.id);
  const lastLevel = new Map<SpecSchema, Map<number, number>>();
  for (const row of rows) {
    const element = row.pair.element.id;
    let next = 0;
    for (const other of competitors.get(row.spec.schema)!)
      next = Math.max(next, (lastLevel.get(other)?.get(element) ?? -1) + 1);
    row.level = next;
    const own = lastLevel.get(row.spec.schema) ?? new Map<number, number>();
    own.set(element, next);
    lastLevel.set(row.spec.schema, own);
  }
  if (rows.some((row) => row.level > 2 ** (32 - PAIR_BITS) - 1))
    throw new Error('the table vehiclespecpattern has more competing rows than the file can order');
}

export interface SpecWords {
  words: number[];
  /** Model id → the start of its schemas. */
  byModel: Map<number, number[]>;
}

/**
 * Per schema: make, type, two words of years (one bit each, all set if it lists none), number of patterns;
 * per pattern: keys << 16 | rows, the folded pairs of its keys, then level << 18 | pair per row.
 */
export function specWords(
  schemas: SpecSchema[],
  foldedPair: (element: number, folded: string) => number | undefined,
): SpecWords {
  assignLevels(schemas);
  const words: number[] = [];
  const byModel = new Map<number, number[]>();
  for (const schema of schemas) {
    const patterns: number[][] = [];
    for (const pattern of schema.patterns) {
      const keys = pattern.keys.map((key) => foldedPair(key.element, key.fold));
      const impossible = keys.includes(undefined) || new Set(keys).size < keys.length || keys.length === 0;
      if (impossible || pattern.rows.length === 0) continue;
      const rows = [...pattern.rows].sort((a, b) => a.pair.id - b.pair.id || a.id - b.id);
      patterns.push([
        (keys.length << 16) | rows.length,
        ...keys.map(Number).sort((a, b) => a - b),
        ...rows.map((row) => (row.level << PAIR_BITS) | (row.pair.id & PAIR_MASK)),
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
