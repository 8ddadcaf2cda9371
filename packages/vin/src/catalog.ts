import { FIRST_YEAR, MORE, OPEN_YEAR, PAIR_MASK } from './layout.ts';
import { linkFirstYear, linkSchemaOf, wmiCodes, type Release } from './reader.ts';
import type { Make, Model, ModelFilter, WmiInfo } from './types.ts';

/** Years for which a manufacturer's VIN patterns name a model, and the vehicle type. */
export interface Span {
  type: number;
  from: number;
  to: number;
}

/** `to` of a span that is still open. */
const NO_END = 9999;

export interface ListedModel {
  id: number;
  name: string;
  make: Make;
  spans(): Span[];
}

/** The lists in a release: manufacturers, makes and models. */
export function catalog(release: Release) {
  const { slots, firstPair, formulaFrom, pairSlot, modelMake } = release;
  const firstModel = firstPair[slots.model]!;

  const makeOf = (pair: number): Make => ({ id: release.row(pair) ?? 0, name: release.text(pair) });

  function wmi(text: string): WmiInfo | null {
    const code = text.trim().toUpperCase();
    if (!/^..9...$|^..[^9]$/.test(code)) return null;
    const index = release.wmi(wmiCodes(code));
    if (index === -1) return null;
    const type = release.typeOf[release.wmiType[index]!]!;
    const manufacturer = release.wmiManufacturer[index]!;
    const makes = release.wmiMake.subarray(release.wmiMakeFrom[index], release.wmiMakeFrom[index + 1]);
    return {
      wmi: code,
      manufacturer: release.text(manufacturer),
      manufacturerId: release.row(manufacturer) ?? 0,
      makes: Array.from(makes, makeOf),
      vehicleType: type === -1 ? null : release.typeName[type]!,
      published: new Date(release.wmiPublic[index]! * 1000).toISOString().slice(0, 10),
    };
  }

  let allMakes: Make[] | undefined;

  /** Every make, by name. */
  function makes(): Make[] {
    allMakes ??= pairsOf(slots.make)
      .map(makeOf)
      .filter(({ name }) => name !== '')
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
    return allMakes;
  }

  function pairsOf(slot: number): number[] {
    const pairs: number[] = [];
    const first = firstPair[slot]!;
    if (first === -1) return pairs;
    for (let pair = first; pair < formulaFrom && pairSlot[pair] === slot; pair++) pairs.push(pair);
    return pairs;
  }

  let spans: Map<number, Span[]> | undefined;

  /** Every model that belongs to a make. Its years are read when they are first needed. */
  function* listed(): Generator<ListedModel> {
    for (const pair of pairsOf(slots.model)) {
      const make = modelMake[pair - firstModel]!;
      const name = release.text(pair);
      if (make === 0 || name === '') continue;
      const spansOf = (): Span[] => (spans ??= readSpans(release, slots.model)).get(pair) ?? [];
      yield { id: release.row(pair) ?? 0, name, make: makeOf(make - 1), spans: spansOf };
    }
  }

  const types = new Map(Array.from(release.typeId, (id, index) => [id, release.typeName[index]!]));

  /** The identifiers of the manufacturers that list a make, by the name of the make. */
  function wmisOfMake(): Map<string, string[]> {
    const result = new Map<string, string[]>();
    release.wmiCodes().forEach((code, index) => {
      for (const pair of release.wmiMake.subarray(
        release.wmiMakeFrom[index],
        release.wmiMakeFrom[index + 1],
      )) {
        const list = result.get(release.text(pair));
        if (list) list.push(code);
        else result.set(release.text(pair), [code]);
      }
    });
    return result;
  }

  return {
    wmi,
    makes,
    listed,
    wmisOfMake,
    types,
    models: (make: string | number, filter?: ModelFilter | number) =>
      selectModels(listed(), types, make, filter),
  };
}

/** Models of makes whose name contains `make`, or of the make with that id. `types`: vehicle types by id. */
export function selectModels(
  all: Iterable<ListedModel>,
  types: ReadonlyMap<number, string>,
  make: string | number,
  filter: ModelFilter | number = {},
): Model[] {
  const { year, vehicleType } = typeof filter === 'number' ? { year: filter } : filter;
  const isWanted = makeFilter(make);
  const typeText = vehicleType?.trim().toLowerCase();
  // A model has dozens of spans, all of a few types.
  const wantedTypes = new Map<number, boolean>();
  const isWantedType = (type: number): boolean => {
    if (typeText === undefined) return true;
    let wanted = wantedTypes.get(type);
    if (wanted === undefined) {
      wanted = (types.get(type) ?? '').toLowerCase().includes(typeText);
      wantedTypes.set(type, wanted);
    }
    return wanted;
  };
  const result: Model[] = [];
  for (const { id, name, make: modelMake, spans } of all) {
    if (!isWanted(modelMake)) continue;
    const model = { id, name, make: modelMake, vehicleType: null };
    if (year === undefined && typeText === undefined) {
      result.push(model);
      continue;
    }
    const fitting = spans().filter(
      ({ type, from, to }) => (year === undefined || (year >= from && year <= to)) && isWantedType(type),
    );
    if (fitting.length === 0) continue;
    if (typeText === undefined) result.push(model);
    else
      for (const type of new Set(fitting.map((span) => span.type)))
        result.push({ ...model, vehicleType: { id: type, name: types.get(type) ?? '' } });
  }
  return result.sort((a, b) => a.make.id - b.make.id || a.id - b.id);
}

/** Tells whether a make is the one with this id, or one whose name contains this text. */
export function makeFilter(make: string | number): (of: Make) => boolean {
  if (typeof make === 'number') return ({ id }) => id === make;
  const nameText = make.trim().toUpperCase();
  return ({ name }) => name.includes(nameText);
}

function readSpans(release: Release, modelSlot: number): Map<number, Span[]> {
  const { trie, schemaFrom, pairSlot, formulaFrom, formulaBase, linkFromWmi, links, wmiType } = release;
  const modelsOf = (schema: number): Set<number> => {
    const result = new Set<number>();
    for (let index = schemaFrom[schema]!; index < schemaFrom[schema + 1]!; index++) {
      const word = trie[index]!;
      if (word >= 0) continue;
      const pair = word & PAIR_MASK;
      if (pairSlot[pair] === modelSlot)
        result.add(pair >= formulaFrom ? formulaBase[pair - formulaFrom]! : pair);
      if ((word & MORE) !== 0) index++;
    }
    return result;
  };
  const bySchema = new Map<number, Set<number>>();
  const spans = new Map<number, Span[]>();
  for (let wmi = 0; wmi < wmiType.length; wmi++) {
    for (let link = linkFromWmi[wmi]!; link < linkFromWmi[wmi + 1]!; link++) {
      const schema = linkSchemaOf(links[link]!);
      let models = bySchema.get(schema);
      if (!models) bySchema.set(schema, (models = modelsOf(schema)));
      const last = links[link]! & 0xff;
      const span = {
        type: wmiType[wmi]!,
        from: linkFirstYear(links[link]!) + FIRST_YEAR,
        to: last === OPEN_YEAR ? NO_END : last + FIRST_YEAR,
      };
      for (const model of models) {
        const list = spans.get(model);
        if (list) list.push(span);
        else spans.set(model, [span]);
      }
    }
  }
  return spans;
}
