import { CHECKED_COUNT, PAIR_MASK, TEST_SHIFT } from './layout.ts';
import type { PieceSource } from './piece-source.ts';

/** Renumbers the entries that a piece keeps, in their old order. */
class Renumbering {
  readonly #old = new Set<number>();
  #numbers: Map<number, number> | undefined;
  add(old: number): void {
    this.#old.add(old);
  }
  has = (old: number): boolean => this.#old.has(old);
  list(): number[] {
    return [...this.#old].sort((a, b) => a - b);
  }
  of(old: number): number {
    this.#numbers ??= new Map(this.list().map((entry, index) => [entry, index]));
    return this.#numbers.get(old)!;
  }
}

/** The entries of a release that a piece contains. */
export type Selection = ReturnType<typeof selectEntries>;

/** Selects everything that manufacturers whose identifiers begin with one of the prefixes need. */
export function selectEntries(source: PieceSource, prefixes: readonly string[]) {
  const n = source.data.numbers;
  const { plainCount, firstModel, firstEngine, allWmis, linkFrom, makeFrom, engineFrom } = source;
  const { modelSpecFrom, conversions, convertedFrom, walkSchema, walkSpec, isModel, isEngine } = source;
  const wmis = allWmis.flatMap((name, index) =>
    prefixes.some((prefix) => name.startsWith(prefix)) ? [index] : [],
  );

  const pairs = new Renumbering();
  const schemas = new Renumbering();
  const tests = new Renumbering();
  const sets = new Renumbering();
  const engines = new Renumbering();
  const specs = new Renumbering();
  sets.add(0);

  const makers = new Set<string>();

  for (const wmi of wmis) {
    pairs.add(n.wmiManufacturer[wmi]!);
    for (let index = makeFrom[wmi]!; index < makeFrom[wmi + 1]!; index++) {
      pairs.add(n.wmiMake[index]!);
      makers.add(`${n.wmiMake[index]} ${n.wmiType[wmi]}`);
    }
    for (let index = linkFrom[wmi]!; index < linkFrom[wmi + 1]!; index++) schemas.add(n.linkSchema[index]!);
  }

  for (const schema of schemas.list()) {
    walkSchema(schema, (word, kind) => {
      if (kind === 'test') tests.add(word >> TEST_SHIFT);
      if (kind === 'pattern') pairs.add(word & PAIR_MASK);
    });
    for (let checked = 0; checked < CHECKED_COUNT; checked++)
      sets.add(n.schemaValid[schema * CHECKED_COUNT + checked]!);
  }
  for (const pair of pairs.list()) if (pair >= plainCount) pairs.add(n.formulaBase[pair - plainCount]!);
  for (const list of [n.typePair, n.defaults]) for (const pair of list) pairs.add(pair);

  for (const pair of pairs.list()) {
    if (isModel(pair)) {
      const model = pair - firstModel;
      if (n.modelMake[model] !== 0) pairs.add(n.modelMake[model]! - 1);
      for (let index = modelSpecFrom[model]!; index < modelSpecFrom[model + 1]!; index++) {
        const start = n.modelSpec[index]!;
        if (makers.has(`${n.spec[start]} ${n.spec[start + 1]}`)) specs.add(start);
      }
    }
    if (isEngine(pair) && n.engineOf[pair - firstEngine] !== 0)
      engines.add(n.engineOf[pair - firstEngine]! - 1);
  }
  for (const start of specs.list()) {
    pairs.add(n.spec[start]!);
    walkSpec(start, (index) => pairs.add(n.spec[index]! & PAIR_MASK));
  }
  for (const engine of engines.list())
    for (let index = engineFrom[engine]!; index < engineFrom[engine + 1]!; index++)
      pairs.add(n.engine[index]! & PAIR_MASK);

  // Displacements in other units. Those aren't converted again.
  const unconverted = pairs.list();
  conversions.forEach(({ slot, first }, index) => {
    for (const pair of unconverted) {
      if (pair >= plainCount || n.pairSlot[pair] !== slot) continue;
      const converted = n.converted[convertedFrom[index]! + pair - first]!;
      if (converted !== 0) pairs.add(converted - 1);
    }
  });
  // Specs compare pairs ignoring case, by the first of each group.
  for (const pair of pairs.list()) if (pair < plainCount) pairs.add(pair - n.pairFold[pair]!);

  const strings = new Renumbering();
  strings.add(0);
  for (const pair of pairs.list()) strings.add(n.pairValue[pair]!);
  return { wmis, pairs, schemas, tests, sets, engines, specs, strings };
}
