import { FIRST_YEAR, MORE, OPEN_YEAR, PAIR_MASK } from './layout.ts';
import { characterNumbers, linkFirstYear, linkSchemaOf, type Release } from './reader.ts';
import type { Make, Model, ModelFilter, WmiInfo } from './types.ts';

/** A model in a maker's schemas: of which vehicle type, and for which years. */
interface Span {
  type: number;
  from: number;
  to: number;
}

/** What a release holds besides decoding: manufacturers, makes and models. */
export function catalogue(release: Release) {
  const { slots, firstPair, formulaFrom, pairSlot, modelMake } = release;
  const firstModel = firstPair[slots.model]!;

  const makeOf = (pair: number): Make => ({ id: release.row(pair) ?? 0, name: release.text(pair) });

  function wmi(text: string): WmiInfo | null {
    const code = text.trim().toUpperCase();
    if (!/^..9...$|^..[^9]$/.test(code)) return null;
    const codes = new Uint8Array(17);
    for (let i = 0; i < code.length; i++)
      codes[i < 3 ? i : i + 8] = characterNumbers[code.charCodeAt(i) & 127]!;
    const at = release.wmi(codes);
    if (at === -1) return null;
    const type = release.typeOf[release.wmiType[at]!]!;
    const manufacturer = release.wmiManufacturer[at]!;
    const makes = release.wmiMake.subarray(release.wmiMakeFrom[at], release.wmiMakeFrom[at + 1]);
    return {
      wmi: code,
      manufacturer: release.text(manufacturer),
      manufacturerId: release.row(manufacturer) ?? 0,
      makes: Array.from(makes, makeOf),
      vehicleType: type === -1 ? null : release.typeName[type]!,
      published: new Date(release.wmiPublic[at]! * 1000).toISOString().slice(0, 10),
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

  /** Which models the schemas name, and the years of the links to them. Read once, when somebody asks for a year. */
  function spansOf(model: number): Span[] {
    spans ??= readSpans(release, slots.model);
    return spans.get(model) ?? [];
  }

  /** Models of makes whose name contains `make`, or of the make with that id; those of one year or type if asked. */
  function models(make: string | number, { year, vehicleType }: ModelFilter = {}): Model[] {
    const wanted = typeof make === 'string' ? make.trim().toUpperCase() : make;
    const types = vehicleType === undefined ? null : typesLike(vehicleType);
    const found: Model[] = [];
    for (const pair of pairsOf(slots.model)) {
      const of = modelMake[pair - firstModel]!;
      if (of === 0) continue;
      const own = makeOf(of - 1);
      if (typeof wanted === 'number' ? own.id !== wanted : !own.name.includes(wanted)) continue;
      const model = { id: release.row(pair) ?? 0, name: release.text(pair), make: own };
      if (model.name === '') continue;
      if (year === undefined && types === null) {
        found.push({ ...model, vehicleType: null });
        continue;
      }
      const fitting = spansOf(pair).filter(
        ({ type, from, to }) =>
          (year === undefined || (year >= from && year <= to)) && (types === null || types.has(type)),
      );
      if (fitting.length === 0) continue;
      const kinds = types === null ? [null] : [...new Set(fitting.map(({ type }) => type))];
      for (const type of kinds) found.push({ ...model, vehicleType: type === null ? null : typeName(type) });
    }
    return found.sort((a, b) => a.make.id - b.make.id || a.id - b.id);
  }

  function typeName(type: number): { id: number; name: string } {
    return { id: type, name: release.typeName[release.typeOf[type]!]! };
  }

  function typesLike(text: string): Set<number> {
    const wanted = text.trim().toLowerCase();
    const ids = Array.from(release.typeId);
    return new Set(ids.filter((_, at) => release.typeName[at]!.toLowerCase().includes(wanted)));
  }

  return { wmi, makes, models };
}

function readSpans(release: Release, modelSlot: number): Map<number, Span[]> {
  const { trie, schemaFrom, pairSlot, formulaFrom, formulaBase, linkFromWmi, links, wmiType } = release;
  const modelsOf = (schema: number): Set<number> => {
    const found = new Set<number>();
    for (let at = schemaFrom[schema]!; at < schemaFrom[schema + 1]!; at++) {
      const word = trie[at]!;
      if (word >= 0) continue;
      const pair = word & PAIR_MASK;
      if (pairSlot[pair] === modelSlot)
        found.add(pair >= formulaFrom ? formulaBase[pair - formulaFrom]! : pair);
      if ((word & MORE) !== 0) at++;
    }
    return found;
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
        to: last === OPEN_YEAR ? Infinity : last + FIRST_YEAR,
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
