import type { SectionName } from './layout.ts';
import { CHECKED_COUNT, LEVEL_SHIFT, PAIR_MASK, SIZE_MASK, TEST_SHIFT } from './layout.ts';
import type { Selection } from './piece-selection.ts';
import type { PieceSource } from './piece-source.ts';

const SPEC_PAIR_BITS = 18;

type Lists = Record<SectionName, number[]>;

/** The sections of a piece: those of the release, reduced to the selected entries and renumbered. */
export function pieceSections(source: PieceSource, selection: Selection): Lists {
  const n = source.data.numbers;
  const { plainCount, firstModel, firstEngine, linkFrom, makeFrom, engineFrom } = source;
  const { modelSpecFrom, conversions, convertedFrom, walkSchema, walkSpec, isModel, isEngine } = source;
  const { wmis, pairs, schemas, tests, sets, engines, specs, strings } = selection;
  const selectedPairs = pairs.list();
  const plain = selectedPairs.filter((pair) => pair < plainCount);
  const formulas = selectedPairs.filter((pair) => pair >= plainCount);

  const trie: number[] = [];
  const schemaSize: number[] = [];
  for (const schema of schemas.list()) {
    const before = trie.length;
    walkSchema(schema, (word, kind) => {
      if (kind === 'test') trie.push((tests.of(word >> TEST_SHIFT) << TEST_SHIFT) | (word & SIZE_MASK));
      else if (kind === 'pattern') trie.push((word & ~PAIR_MASK) | pairs.of(word & PAIR_MASK));
      else trie.push(word);
    });
    schemaSize.push(trie.length - before);
  }

  const spec: number[] = [];
  const specAt = new Map<number, number>();
  for (const start of specs.list()) {
    specAt.set(start, spec.length);
    const end = walkSpec(start, () => {});
    const words = Array.from(n.spec.subarray(start, end));
    words[0] = pairs.of(words[0]!);
    walkSpec(start, (index, isRow) => {
      const word = n.spec[index]!;
      words[index - start] = isRow
        ? ((word >>> SPEC_PAIR_BITS) << SPEC_PAIR_BITS) | pairs.of(word & PAIR_MASK)
        : pairs.of(word);
    });
    spec.push(...words);
  }
  const models = plain.filter(isModel).map((pair) => pair - firstModel);
  const specsOf = models.map((model) =>
    Array.from(n.modelSpec.subarray(modelSpecFrom[model], modelSpecFrom[model + 1])).filter(specs.has),
  );

  return {
    ...(Object.fromEntries(
      [
        'elementId',
        'elementWeight',
        'elementFlags',
        'conversionFrom',
        'conversionTo',
        'typeId',
        'defaultCount',
        'errorId',
      ].map((name) => [name, Array.from(n[name as SectionName])]),
    ) as Lists),
    pairSlot: selectedPairs.map((pair) => n.pairSlot[pair]!),
    pairValue: selectedPairs.map((pair) => strings.of(n.pairValue[pair]!)),
    pairFold: plain.map((pair) => pairs.of(pair) - pairs.of(pair - n.pairFold[pair]!)),
    pairRow: plain.map((pair) => n.pairRow[pair]!),
    formulaBase: formulas.map((pair) => pairs.of(n.formulaBase[pair - plainCount]!)),
    formulaStart: formulas.map((pair) => n.formulaStart[pair - plainCount]!),
    formulaLength: formulas.map((pair) => n.formulaLength[pair - plainCount]!),
    testPlace: tests.list().map((test) => n.testPlace[test]!),
    testLo: tests.list().map((test) => n.testLo[test]!),
    testHi: tests.list().map((test) => n.testHi[test]!),
    trie,
    schemaSize,
    schemaValid: schemas
      .list()
      .flatMap((schema) =>
        Array.from(n.schemaValid.subarray(schema * CHECKED_COUNT, (schema + 1) * CHECKED_COUNT), (set) =>
          sets.of(set),
        ),
      ),
    setLo: sets.list().map((set) => n.setLo[set]!),
    setHi: sets.list().map((set) => n.setHi[set]!),
    wmiManufacturer: wmis.map((wmi) => pairs.of(n.wmiManufacturer[wmi]!)),
    wmiType: wmis.map((wmi) => n.wmiType[wmi]!),
    wmiTruck: wmis.map((wmi) => n.wmiTruck[wmi]!),
    wmiPublic: wmis.map((wmi) => n.wmiPublic[wmi]!),
    wmiMakeCount: wmis.map((wmi) => n.wmiMakeCount[wmi]!),
    wmiMake: wmis.flatMap((wmi) =>
      Array.from(n.wmiMake.subarray(makeFrom[wmi], makeFrom[wmi + 1]), (pair) => pairs.of(pair)),
    ),
    wmiLinkCount: wmis.map((wmi) => n.wmiLinkCount[wmi]!),
    linkSchema: wmis.flatMap((wmi) =>
      Array.from(n.linkSchema.subarray(linkFrom[wmi], linkFrom[wmi + 1]), (schema) => schemas.of(schema)),
    ),
    linkFrom: wmis.flatMap((wmi) => Array.from(n.linkFrom.subarray(linkFrom[wmi], linkFrom[wmi + 1]))),
    linkTo: wmis.flatMap((wmi) => Array.from(n.linkTo.subarray(linkFrom[wmi], linkFrom[wmi + 1]))),
    modelMake: models.map((model) => {
      const make = n.modelMake[model]! - 1;
      return make >= 0 && pairs.has(make) ? pairs.of(make) + 1 : 0;
    }),
    modelSpecCount: specsOf.map((list) => list.length),
    modelSpec: specsOf.flatMap((list) => list.map((start) => specAt.get(start)!)),
    spec,
    engineOf: plain.filter(isEngine).map((pair) => {
      const engine = n.engineOf[pair - firstEngine]! - 1;
      return engine >= 0 && engines.has(engine) ? engines.of(engine) + 1 : 0;
    }),
    engineSize: engines.list().map((engine) => n.engineSize[engine]!),
    engine: engines
      .list()
      .flatMap((engine) =>
        Array.from(
          n.engine.subarray(engineFrom[engine], engineFrom[engine + 1]),
          (word) => ((word >> LEVEL_SHIFT) << LEVEL_SHIFT) | pairs.of(word & PAIR_MASK),
        ),
      ),
    converted: conversions.flatMap(({ slot, first }, index) =>
      plain
        .filter((pair) => n.pairSlot[pair] === slot)
        .map((pair) => {
          const target = n.converted[convertedFrom[index]! + pair - first]! - 1;
          return target >= 0 && pairs.has(target) ? pairs.of(target) + 1 : 0;
        }),
    ),
    typePair: Array.from(n.typePair, (pair) => pairs.of(pair)),
    defaults: Array.from(n.defaults, (pair) => pairs.of(pair)),
    bodyGlider: Array.from(n.bodyGlider)
      .filter(pairs.has)
      .map((pair) => pairs.of(pair)),
    bodyOffRoad: Array.from(n.bodyOffRoad)
      .filter(pairs.has)
      .map((pair) => pairs.of(pair)),
    bodyIncomplete: Array.from(n.bodyIncomplete)
      .filter(pairs.has)
      .map((pair) => pairs.of(pair)),
    stringLength: strings.list().map((id) => n.stringLength[id]!),
  };
}
