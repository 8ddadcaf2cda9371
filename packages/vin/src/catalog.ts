import { FIRST_YEAR, MORE, OPEN_YEAR, PAIR_MASK } from './layout.ts';
import { linkFirstYear, linkSchemaOf, wmiCodes, type Release } from './reader.ts';
import type { Make, Model, ModelFilter, WmiInfo } from './types.ts';

/** Years for which a manufacturer's VIN patterns name a model, and the vehicle type. */
interface Span {
  type: number;
  from: number;
  to: number;
}

/** `to` of a span that is still open. */
const NO_END = 9999;

/** Takes half a millisecond. */
const MODELS_PER_PART = 250;

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

  const makeOfModel = (pair: number): number => modelMake[pair - firstModel]! - 1;
  let allModels: number[] | undefined;

  /** Every model that belongs to a make, by the ids of both. */
  function modelPairs(): number[] {
    const idOf = (pair: number): number => release.row(pair) ?? 0;
    allModels ??= pairsOf(slots.model)
      .filter((pair) => makeOfModel(pair) !== -1 && release.text(pair) !== '')
      .sort((a, b) => idOf(makeOfModel(a)) - idOf(makeOfModel(b)) || idOf(a) - idOf(b));
    return allModels;
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

  let spans: Map<number, Span[]> | undefined;

  /** A few models at a time, of which those that fit are returned. */
  function* modelsInParts(make: string | number, filter: ModelFilter | number = {}): Generator<Model[]> {
    const isWanted = makeFilter(make);
    const fitting = modelFilter(typeof filter === 'number' ? { year: filter } : filter, types);
    const pairs = modelPairs();
    // Of the last model. The models of a make follow one another.
    let makePair = -1;
    let wanted: Make | null = null;
    for (let start = 0; start < pairs.length; start += MODELS_PER_PART) {
      const models: Model[] = [];
      for (const pair of pairs.slice(start, start + MODELS_PER_PART)) {
        if (makeOfModel(pair) !== makePair) {
          makePair = makeOfModel(pair);
          const ofModel = makeOf(makePair);
          wanted = isWanted(ofModel) ? ofModel : null;
        }
        if (!wanted) continue;
        if (fitting) spans ??= readSpans(release, slots.model);
        for (const vehicleType of fitting?.(spans!.get(pair) ?? []) ?? [null])
          models.push({ id: release.row(pair) ?? 0, name: release.text(pair), make: wanted, vehicleType });
      }
      yield models;
    }
  }

  return {
    wmi,
    makes,
    modelsInParts,
    wmisOfMake,
    types,
    models: (make: string | number, filter?: ModelFilter | number) => [...modelsInParts(make, filter)].flat(),
  };
}

type VehicleType = Model['vehicleType'];

/**
 * Tells from a model's spans whether it fits: as which vehicle types, or as null where the type doesn't matter. Null if every
 * model fits.
 */
function modelFilter(
  { year, vehicleType }: ModelFilter,
  types: ReadonlyMap<number, string>,
): ((spans: readonly Span[]) => VehicleType[]) | null {
  const typeText = vehicleType?.trim().toLowerCase();
  if (year === undefined && typeText === undefined) return null;
  const isInYear = ({ from, to }: Span): boolean => year === undefined || (year >= from && year <= to);
  if (typeText === undefined) return (spans) => (spans.some(isInYear) ? [null] : []);
  const wanted = new Map<number, VehicleType>();
  for (const [id, name] of types) if (name.toLowerCase().includes(typeText)) wanted.set(id, { id, name });
  return (spans) => {
    // A model has dozens of spans, all of a few types.
    const fitting = new Set<VehicleType>();
    for (const span of spans) {
      const type = isInYear(span) && wanted.get(span.type);
      if (type) fitting.add(type);
    }
    return [...fitting];
  };
}

/** Tells whether a make is the one with this id, or one whose name contains this text. */
function makeFilter(make: string | number): (of: Make) => boolean {
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
