import { type SectionName, type TextName, PAIR_MASK } from '../layout.ts';
import { readConversions } from './conversions.ts';
import * as vpicElements from './elements.ts';
import { engineWords, readEngines } from './engines.ts';
import { readLinks, wmiSections } from './links.ts';
import { fold, Pairs, type Pair } from './elements.ts';
import { selectPatterns, patternWords } from './pattern-words.ts';
import { KeyTests, Sets } from './keys.ts';
import { schemaSections } from './schemas.ts';
import { readSpecs, specWords } from './specs.ts';
import type { Release } from './tables.ts';

export interface Compiled {
  numbers: Record<SectionName, ArrayLike<number>>;
  texts: Record<TextName, string[]>;
}

const glider = [64];
const offRoad = [69, 84, 86, 88, 97, 105, 113, 124, 126, 127];
/** Elements whose value from the vehicle specs replaces an existing one. */
const alwaysFromSpecs = new Set([1, ...vpicElements.repeating]);

/** The row of a pair's lookup table, plus one. */
function rowOf({ element, attribute }: Pair): number {
  const id = attribute.trim();
  return element.lookup?.has(id) && /^\d{1,9}$/.test(id) ? Number(id) + 1 : 0;
}

/** Compiles a release into flat arrays of numbers and strings. Takes the large tables out of it as it goes, to save memory. */
export function compile(release: Release, progress: (line: string) => void = () => {}): Compiled {
  const { tables, patterns } = release;
  const elements = vpicElements.readElements(tables);
  const pairs = new Pairs(elements);
  const { wmis, links } = readLinks(tables);
  const sets = new Sets();
  const tests = new KeyTests(patterns.keys, sets);
  progress('collecting pairs');
  const selected = selectPatterns(patterns, tests, links, elements, pairs);
  // What isn't needed any more is freed at once, because this takes the most memory.
  Object.assign(patterns, { attribute: new Int32Array(0), attributes: [] });
  const engines = readEngines(tables, pairs);
  // Freed before the patterns, which take the most memory.
  let specs: ReturnType<typeof readSpecs> | null = readSpecs(release, pairs);

  const { conversions, convertible, target } = readConversions(tables, pairs);
  const types = tables.get('vehicletype')!.map(([id, name]) => ({
    id: Number(id),
    name: name ?? '',
    pair: pairs.of(vpicElements.VEHICLE_TYPE, id!),
  }));
  types.sort((a, b) => a.id - b.id);
  const defaults = types.map(({ id }) =>
    tables
      .get('defaultvalue')!
      .filter(([, element, type]) => Number(type) === id && elements.get(Number(element))?.hasDecode)
      .toSorted((a, b) => Number(a[0]) - Number(b[0]))
      .map(([, element, , value]) => pairs.of(Number(element), value ?? '')),
  );
  const makeOf = new Map(tables.get('make_model')!.map(([make, model]) => [model!, make!]));
  // Lists of values include those that no pattern names. Of models, only those that belong to a make.
  for (const { element, id } of vpicElements.codedValues(elements.values()))
    if (element !== vpicElements.MODEL) pairs.of(element, id);
  for (const model of makeOf.keys()) pairs.of(vpicElements.MODEL, model);
  // Collected now, so that they are numbered with all others.
  wmiSections(wmis, pairs);
  for (const pair of pairs.all()) {
    const make = pair.element.id === vpicElements.MODEL ? makeOf.get(pair.attribute) : undefined;
    if (make !== undefined) pairs.of(vpicElements.MAKE, make);
  }
  // Models are sorted by make, then name. Neighbours share a make, which makes the file smaller.
  const all = pairs.number((pair) =>
    pair.element.id === vpicElements.MODEL
      ? `${(makeOf.get(pair.attribute) ?? '').padStart(9)} ${pair.value}`
      : pair.value,
  );
  if (all.length > PAIR_MASK) throw new Error('the table pattern has more attributes than the file can hold');

  progress('vehicle specs');
  const folds = new Map<string, number>();
  for (const pair of all) {
    const key = `${pair.element.id}\t${fold(pair.attribute)}`;
    if (!pair.formula && !folds.has(key)) folds.set(key, pair.id);
  }
  const spec = specWords(specs, (element, folded) => folds.get(`${element}\t${folded}`));
  specs = null;

  progress('ordering patterns');
  const words = patternWords(patterns, selected, tests, links, convertible);
  Object.assign(patterns, { id: new Int32Array(0), date: new Float64Array(0) });
  progress('building tries');
  const schemas = schemaSections(patterns, selected, tests, links.schemas, words);

  const slots = new Map([...elements.keys()].map((id, slot) => [id, slot]));
  if (slots.size > 250) throw new Error('the table element has more rows than the file can hold');
  const plain = all.filter((pair) => !pair.formula);
  const formulas = all.filter((pair) => pair.formula);
  const models = plain.filter((pair) => pair.element.id === vpicElements.MODEL);
  const engineNames = [...engines.keys()].sort();
  const engineList = engineNames.map((name) => engineWords(engines.get(name)!, convertible));
  const strings = new Map<string, number>([['', 0]]);
  for (const { value } of all) if (!strings.has(value)) strings.set(value, strings.size);
  const texts = [...strings.keys()];
  const bodies = (wanted: (pair: Pair) => boolean) =>
    plain
      .filter((pair) => pair.element.id === vpicElements.BODY_CLASS && wanted(pair))
      .map((pair) => pair.id);
  const elementList = [...elements.values()];
  const modelSpecs = models.map((pair) => spec.byModel.get(Number(pair.attribute)) ?? []);
  const errors = tables.get('errorcode')!.toSorted((a, b) => Number(a[0]) - Number(b[0]));

  return {
    numbers: {
      elementId: elementList.map(({ id }) => id),
      elementWeight: elementList.map(({ weight }) => weight),
      elementFlags: elementList.map(
        (element) =>
          Number(element.hasDecode && !element.isPrivate) +
          2 * Number(vpicElements.repeating.has(element.id)) +
          4 * Number(alwaysFromSpecs.has(element.id)) +
          8 * Number(element.lookup !== null),
      ),
      pairSlot: all.map((pair) => slots.get(pair.element.id)!),
      pairValue: all.map((pair) => strings.get(pair.value)!),
      pairFold: plain.map((pair) => pair.id - folds.get(`${pair.element.id}\t${fold(pair.attribute)}`)!),
      pairRow: plain.map((pair) => rowOf(pair)),
      formulaBase: formulas.map((pair) => pair.formula!.base.id),
      formulaStart: formulas.map((pair) => pair.formula!.start),
      formulaLength: formulas.map((pair) => pair.formula!.length),
      ...schemas,
      ...wmiSections(wmis, pairs),
      modelMake: models.map((pair) => {
        const make = makeOf.get(pair.attribute);
        return make === undefined ? 0 : pairs.of(vpicElements.MAKE, make).id + 1;
      }),
      modelSpecCount: modelSpecs.map((list) => list.length),
      modelSpec: modelSpecs.flat(),
      spec: spec.words,
      engineOf: plain
        .filter((pair) => pair.element.id === vpicElements.ENGINE_MODEL)
        .map((pair) => engineNames.indexOf(fold(pair.attribute.trim())) + 1),
      engineSize: engineList.map((list) => list.length),
      engine: engineList.flat(),
      conversionFrom: conversions.map(({ from }) => slots.get(from)!),
      conversionTo: conversions.map(({ to }) => slots.get(to)!),
      converted: conversions.flatMap(({ id, from }) =>
        plain.filter((pair) => pair.element.id === from).map((pair) => (target(id, pair)?.id ?? -1) + 1),
      ),
      typeId: types.map(({ id }) => id),
      typePair: types.map(({ pair }) => pair.id),
      defaultCount: defaults.map((list) => list.length),
      defaults: defaults.flat().map((pair) => pair.id),
      bodyGlider: bodies((pair) => glider.includes(Number(pair.attribute))),
      bodyOffRoad: bodies((pair) => offRoad.includes(Number(pair.attribute))),
      bodyIncomplete: bodies((pair) => /incomplete/i.test(pair.value)),
      errorId: errors.map(([id]) => Number(id)),
      stringLength: texts.map((text) => Buffer.byteLength(text)),
    },
    texts: {
      strings: [texts.join('')],
      elementNames: elementList.map(({ name }) => name),
      elementCodes: elementList.map(({ code }) => code),
      elementGroups: elementList.map(({ group }) => group ?? ''),
      elementTypes: elementList.map(({ dataType }) => dataType),
      wmis: wmis.map(({ text }) => text),
      exceptions: tables
        .get('vinexception')!
        .filter(([, checkDigit]) => checkDigit === 't')
        .map(([vin]) => vin ?? '')
        .sort(),
      errorNames: errors.map(([, name]) => name ?? ''),
      typeNames: types.map(({ name }) => name),
    },
  };
}
