import { kindOf, type Numbers, type VpicData } from './data-file.ts';
import { LEVEL_SHIFT, MORE, PAIR_MASK, sections, SIZE_MASK, TEST_SHIFT, texts } from './layout.ts';
import type { SectionName, TextName } from './layout.ts';

export { listFiles } from './list-files.ts';

/**
 * Splits a release into pieces by manufacturer. A piece has the format of a release, so the same code reads both. A page
 * that decodes one VIN loads 40 to 100 kilobytes.
 */

const MODEL = 28;
const ENGINE_MODEL = 18;
const SPEC_PAIR_BITS = 18;
const CHECKED = 9;
/** Pieces larger than this, in bytes before compression, are split further if possible. */
const LARGE = 300_000;
const LONGEST_NAME = 3;

const utf8 = new TextDecoder();
const linesOf = (bytes: Uint8Array): string[] => utf8.decode(bytes).split('\n');

function startIndexes(counts: ArrayLike<number>): number[] {
  const from = [0];
  for (let i = 0; i < counts.length; i++) from.push(from[i]! + counts[i]!);
  return from;
}

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
    this.#numbers ??= new Map(this.list().map((each, at) => [each, at]));
    return this.#numbers.get(old)!;
  }
}

type Lists = Record<SectionName, number[]>;

/** What all pieces of a release have in common. */
function sharedParts(data: VpicData) {
  const n = data.numbers;
  const plainCount = n.pairFold.length;
  const firstPair = (id: number): number => n.pairSlot.indexOf(n.elementId.indexOf(id));
  const slotCounts = new Map<number, number>();
  for (let pair = 0; pair < plainCount; pair++)
    slotCounts.set(n.pairSlot[pair]!, (slotCounts.get(n.pairSlot[pair]!) ?? 0) + 1);
  const conversions = Array.from(n.conversionFrom, (slot) => ({
    slot,
    first: n.pairSlot.indexOf(slot),
    count: slotCounts.get(slot) ?? 0,
  }));
  return {
    plainCount,
    firstModel: firstPair(MODEL),
    firstEngine: firstPair(ENGINE_MODEL),
    allWmis: linesOf(data.bytes.wmis),
    allExceptions: linesOf(data.bytes.exceptions),
    linkFrom: startIndexes(n.wmiLinkCount),
    makeFrom: startIndexes(n.wmiMakeCount),
    schemaFrom: startIndexes(n.schemaSize),
    engineFrom: startIndexes(n.engineSize),
    modelSpecFrom: startIndexes(n.modelSpecCount),
    stringFrom: startIndexes(n.stringLength),
    conversions,
    convertedFrom: startIndexes(conversions.map(({ count }) => count)),
  };
}

/** Returns a function that extracts the piece for all manufacturers whose identifiers begin with a prefix. */
export function carver(data: VpicData): (prefix: string) => VpicData {
  const all = sharedParts(data);
  return (prefix) => carve(data, all, prefix);
}

function carve(data: VpicData, all: ReturnType<typeof sharedParts>, prefix: string): VpicData {
  const n = data.numbers;
  const { plainCount, firstModel, firstEngine, allWmis, linkFrom, makeFrom, schemaFrom, engineFrom } = all;
  const { modelSpecFrom, stringFrom, conversions, convertedFrom } = all;
  const wmis = allWmis.flatMap((name, at) => (name.startsWith(prefix) ? [at] : []));

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
    for (let at = makeFrom[wmi]!; at < makeFrom[wmi + 1]!; at++) {
      pairs.add(n.wmiMake[at]!);
      makers.add(`${n.wmiMake[at]} ${n.wmiType[wmi]}`);
    }
    for (let at = linkFrom[wmi]!; at < linkFrom[wmi + 1]!; at++) schemas.add(n.linkSchema[at]!);
  }

  /** Calls `see` for every word of a schema: a test, a pattern, or a pattern's second word. */
  function walk(schema: number, see: (word: number, kind: 'test' | 'pattern' | 'more') => void): void {
    for (let at = schemaFrom[schema]!; at < schemaFrom[schema + 1]!; at++) {
      const word = n.trie[at]!;
      if (word >= 0) {
        see(word, 'test');
        continue;
      }
      see(word, 'pattern');
      if ((word & MORE) !== 0) see(n.trie[++at]!, 'more');
    }
  }
  for (const schema of schemas.list()) {
    walk(schema, (word, kind) => {
      if (kind === 'test') tests.add(word >> TEST_SHIFT);
      if (kind === 'pattern') pairs.add(word & PAIR_MASK);
    });
    for (let place = 0; place < CHECKED; place++) sets.add(n.schemaValid[schema * CHECKED + place]!);
  }
  for (const pair of pairs.list()) if (pair >= plainCount) pairs.add(n.formulaBase[pair - plainCount]!);
  for (const list of [n.typePair, n.defaults]) for (const pair of list) pairs.add(pair);

  const isModel = (pair: number): boolean =>
    pair >= firstModel && pair < firstModel + n.modelMake.length && pair < plainCount;
  const isEngine = (pair: number): boolean => pair >= firstEngine && pair < firstEngine + n.engineOf.length;

  /** Calls `see` with the index of every pair of a vehicle spec. */
  function walkSpec(start: number, see: (at: number, isRow: boolean) => void): number {
    let at = start + 5;
    for (let pattern = n.spec[start + 4]!; pattern > 0; pattern--) {
      const keys = n.spec[at]! >> 16;
      const rows = n.spec[at]! & 0xffff;
      for (let key = 1; key <= keys; key++) see(at + key, false);
      for (let row = 1; row <= rows; row++) see(at + keys + row, true);
      at += 1 + keys + rows;
    }
    return at;
  }
  for (const pair of pairs.list()) {
    if (isModel(pair)) {
      const model = pair - firstModel;
      if (n.modelMake[model] !== 0) pairs.add(n.modelMake[model]! - 1);
      for (let at = modelSpecFrom[model]!; at < modelSpecFrom[model + 1]!; at++) {
        const start = n.modelSpec[at]!;
        if (makers.has(`${n.spec[start]} ${n.spec[start + 1]}`)) specs.add(start);
      }
    }
    if (isEngine(pair) && n.engineOf[pair - firstEngine] !== 0)
      engines.add(n.engineOf[pair - firstEngine]! - 1);
  }
  for (const start of specs.list()) {
    pairs.add(n.spec[start]!);
    walkSpec(start, (at) => pairs.add(n.spec[at]! & PAIR_MASK));
  }
  for (const engine of engines.list())
    for (let at = engineFrom[engine]!; at < engineFrom[engine + 1]!; at++)
      pairs.add(n.engine[at]! & PAIR_MASK);

  // Displacements in other units. Those aren't converted again.
  const given = pairs.list();
  conversions.forEach(({ slot, first }, at) => {
    for (const pair of given) {
      if (pair >= plainCount || n.pairSlot[pair] !== slot) continue;
      const made = n.converted[convertedFrom[at]! + pair - first]!;
      if (made !== 0) pairs.add(made - 1);
    }
  });
  // Specs compare pairs ignoring case, by the first of each group.
  for (const pair of pairs.list()) if (pair < plainCount) pairs.add(pair - n.pairFold[pair]!);

  const kept = pairs.list();
  const plain = kept.filter((pair) => pair < plainCount);
  const formulas = kept.filter((pair) => pair >= plainCount);
  const strings = new Renumbering();
  strings.add(0);
  for (const pair of kept) strings.add(n.pairValue[pair]!);

  const trie: number[] = [];
  const schemaSize: number[] = [];
  for (const schema of schemas.list()) {
    const before = trie.length;
    walk(schema, (word, kind) => {
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
    walkSpec(start, (at, isRow) => {
      const word = n.spec[at]!;
      words[at - start] = isRow
        ? ((word >>> SPEC_PAIR_BITS) << SPEC_PAIR_BITS) | pairs.of(word & PAIR_MASK)
        : pairs.of(word);
    });
    spec.push(...words);
  }
  const models = plain.filter(isModel).map((pair) => pair - firstModel);
  const specsOf = models.map((model) =>
    Array.from(n.modelSpec.subarray(modelSpecFrom[model], modelSpecFrom[model + 1])).filter(specs.has),
  );

  const body = data.bytes.strings;
  const pieces = strings.list().map((id) => body.subarray(stringFrom[id], stringFrom[id + 1]));
  const made: Lists = {
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
    pairSlot: kept.map((pair) => n.pairSlot[pair]!),
    pairValue: kept.map((pair) => strings.of(n.pairValue[pair]!)),
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
        Array.from(n.schemaValid.subarray(schema * CHECKED, (schema + 1) * CHECKED), (set) => sets.of(set)),
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
    converted: conversions.flatMap(({ slot, first }, at) =>
      plain
        .filter((pair) => n.pairSlot[pair] === slot)
        .map((pair) => {
          const target = n.converted[convertedFrom[at]! + pair - first]! - 1;
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
    stringLength: pieces.map(({ length }) => length),
  };

  const bytes: Record<TextName, Uint8Array> = {
    ...data.bytes,
    strings: joined(pieces),
    wmis: encoded(wmis.map((wmi) => allWmis[wmi]!)),
    exceptions: encoded(all.allExceptions.filter((vin) => vin.startsWith(prefix))),
  };
  const numbers = Object.fromEntries(
    (Object.keys(sections) as SectionName[]).map((name) => [name, typed(name, made[name])]),
  ) as Record<SectionName, Numbers>;
  const lengths = Object.fromEntries([
    ...Object.entries(numbers).map(([name, list]) => [name, list.length]),
    ...Object.entries(bytes).map(([name, list]) => [name, list.length]),
  ]) as VpicData['header']['sections'];
  return { header: { ...data.header, counts: {}, size: 0, sections: lengths }, numbers, bytes };
}

const encoded = (lines: string[]): Uint8Array => new TextEncoder().encode(lines.join('\n'));

function joined(pieces: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function typed(name: SectionName, list: number[]): Numbers {
  const numbers = new (kindOf(name))(new ArrayBuffer(list.length * sections[name].wide), 0, list.length);
  numbers.set(list);
  return numbers;
}

const padded = (size: number): number => Math.ceil(size / 4) * 4;

/** A piece as bytes, before gzip: length of the header (4), header, then the aligned sections. */
export function pieceBytes(data: VpicData): Uint8Array {
  const names = Object.keys(sections) as SectionName[];
  let size = 0;
  for (const name of names) size += padded(data.numbers[name].byteLength);
  for (const name of texts) size += padded(data.bytes[name].length);
  const json = new TextEncoder().encode(JSON.stringify({ ...data.header, size }));
  const begin = padded(4 + json.length);
  const all = new Uint8Array(begin + size);
  new DataView(all.buffer).setUint32(0, begin - 4, true);
  all.set(json, 4);
  all.fill(32, 4 + json.length, begin);
  let at = begin;
  for (const name of names) {
    const from = data.numbers[name];
    const to = new (kindOf(name))(all.buffer, at, from.length);
    to.set(from);
    if (sections[name].delta) for (let i = from.length - 1; i > 0; i--) to[i] = from[i]! - from[i - 1]!;
    at += padded(from.byteLength);
  }
  for (const name of texts) {
    all.set(data.bytes[name], at);
    at += padded(data.bytes[name].length);
  }
  return all;
}

/** The prefixes of the pieces: one character where the piece is small enough, else two, else three. */
export function pieceNames(data: VpicData): string[] {
  const { wmiLinkCount, linkSchema, schemaSize } = data.numbers;
  const wmis = linesOf(data.bytes.wmis);
  const from = startIndexes(wmiLinkCount);

  /** The size of a piece's tries, which are most of it. */
  const weightOf = (own: number[]): number => {
    const schemas = new Set<number>();
    for (const wmi of own) for (let at = from[wmi]!; at < from[wmi + 1]!; at++) schemas.add(linkSchema[at]!);
    let words = 0;
    for (const schema of schemas) words += schemaSize[schema]!;
    return words * 4;
  };
  const split = (own: number[], length: number): string[] => {
    const groups = new Map<string, number[]>();
    for (const wmi of own) {
      const name = wmis[wmi]!.slice(0, length);
      const group = groups.get(name);
      if (group) group.push(wmi);
      else groups.set(name, [wmi]);
    }
    return [...groups].flatMap(([name, group]) =>
      length < LONGEST_NAME && weightOf(group) > LARGE ? split(group, length + 1) : [name],
    );
  };
  return split([...wmis.keys()], 1).sort();
}
