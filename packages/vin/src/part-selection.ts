import { CHECKED_COUNT, PAIR_MASK, TEST_SHIFT } from './layout.ts';
import type { PartSource } from './part-source.ts';
import type { Rows } from './parts.ts';

const sorted = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);

/** Selects the rows that manufacturers whose identifiers begin with one of the prefixes need. */
export function selectRows(source: PartSource, prefixes: readonly string[]): Rows {
  const n = source.data.numbers;
  const { plainCount, firstModel, firstEngine, allWmis, linkFrom, makeFrom, engineFrom } = source;
  const { modelSpecFrom, conversions, convertedFrom, walkSchema, walkSpec, isModel, isEngine } = source;
  const isOwn = (text: string): boolean => prefixes.some((prefix) => text.startsWith(prefix));
  const indexesOfOwn = (list: string[]) => list.flatMap((text, index) => (isOwn(text) ? [index] : []));
  const wmis = indexesOfOwn(allWmis);

  const pairs = new Set<number>();
  const schemas = new Set<number>();
  const tests = new Set<number>();
  const sets = new Set([0]);
  const engines = new Set<number>();
  const specs = new Set<number>();
  const makers = new Set<string>();

  for (const wmi of wmis) {
    pairs.add(n.wmiManufacturer[wmi]!);
    for (let index = makeFrom[wmi]!; index < makeFrom[wmi + 1]!; index++) {
      pairs.add(n.wmiMake[index]!);
      makers.add(`${n.wmiMake[index]} ${n.wmiType[wmi]}`);
    }
    for (let index = linkFrom[wmi]!; index < linkFrom[wmi + 1]!; index++) schemas.add(n.linkSchema[index]!);
  }

  for (const schema of schemas) {
    walkSchema(schema, (word) => {
      if (word >= 0) tests.add(word >> TEST_SHIFT);
      else pairs.add(word & PAIR_MASK);
    });
    for (let checked = 0; checked < CHECKED_COUNT; checked++)
      sets.add(n.schemaValid[schema * CHECKED_COUNT + checked]!);
  }
  for (const pair of pairs) if (pair >= plainCount) pairs.add(n.formulaBase[pair - plainCount]!);
  for (const list of [n.typePair, n.defaults]) for (const pair of list) pairs.add(pair);

  for (const pair of pairs) {
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
  for (const start of specs) {
    pairs.add(n.spec[start]!);
    walkSpec(start, (index) => pairs.add(n.spec[index]! & PAIR_MASK));
  }
  for (const engine of engines)
    for (let index = engineFrom[engine]!; index < engineFrom[engine + 1]!; index++)
      pairs.add(n.engine[index]! & PAIR_MASK);

  // Displacements in other units. Those aren't converted again.
  const unconverted = [...pairs];
  conversions.forEach(({ slot, first }, index) => {
    for (const pair of unconverted) {
      if (pair >= plainCount || n.pairSlot[pair] !== slot) continue;
      const converted = n.converted[convertedFrom[index]! + pair - first]!;
      if (converted !== 0) pairs.add(converted - 1);
    }
  });
  // Specs compare pairs ignoring case, by the first of each group.
  for (const pair of pairs) if (pair < plainCount) pairs.add(pair - n.pairFold[pair]!);

  const pair = sorted(pairs);
  return {
    pair,
    model: pair.filter(isModel).map((model) => model - firstModel),
    schema: sorted(schemas),
    test: sorted(tests),
    set: sorted(sets),
    wmi: wmis,
    exception: indexesOfOwn(source.allExceptions),
    spec: sorted(specs),
  };
}
