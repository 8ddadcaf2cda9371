import { groupBy } from './group-by.ts';
import { FIRST_YEAR } from './layout.ts';
import { linkCovers, type Release } from './reader.ts';
import type { Make, Manufacturer, ManufacturerWmi, MakeOfType, VariableInfo, VpicLists } from './types.ts';

const PRINTED = 1;
const LOOKUP = 8;
const ERROR_CODE = 143;

/** Takes less than a millisecond. */
const ROWS_PER_PART = 250;

/**
 * The lists of NHTSA's API that join manufacturers' identifiers with makes, vehicle types and manufacturers. Long ones come in
 * parts, each made when it is read.
 */
export function lists(release: Release): VpicLists {
  const { slots, firstPair, pairCount, wmiMake, wmiMakeFrom, wmiManufacturer, wmiType, linkFromWmi, links } =
    release;
  const idOf = (pair: number): number => release.row(pair) ?? 0;
  const named = (pair: number): Make => ({ id: idOf(pair), name: release.text(pair) });
  const typeOf = (type: number) => {
    const index = release.typeOf[type]!;
    return index === -1 ? null : { id: type, name: release.typeName[index]! };
  };
  const wmiCount = wmiType.length;
  const makesOf = (wmi: number) => wmiMake.subarray(wmiMakeFrom[wmi], wmiMakeFrom[wmi + 1]);
  const pairsOf = (slot: number): number[] =>
    Array.from({ length: pairCount(slot) }, (_, index) => firstPair[slot]! + index);
  const byId = (pairs: Iterable<number>): number[] => [...pairs].sort((a, b) => idOf(a) - idOf(b));

  /** The vehicle types of each make, or of each manufacturer. */
  function typesBy(ownersOf: (wmi: number) => Iterable<number>): Map<number, number[]> {
    const found = new Map<number, Set<number>>();
    for (let wmi = 0; wmi < wmiCount; wmi++)
      for (const owner of ownersOf(wmi)) {
        const types = found.get(owner);
        if (types) types.add(wmiType[wmi]!);
        else found.set(owner, new Set([wmiType[wmi]!]));
      }
    const sorted = (types: Set<number>) => [...types].sort((a, b) => a - b);
    return new Map([...found].map(([owner, types]) => [owner, sorted(types)]));
  }

  const once = <T>(make: () => T): (() => T) => {
    let made: T | undefined;
    return () => (made ??= make());
  };
  const typesOfMakes = once(() => typesBy(makesOf));
  const typesOfManufacturers = once(() => typesBy((wmi) => [wmiManufacturer[wmi]!]));
  const makePairs = once(() => byId(typesOfMakes().keys()));
  const manufacturerPairs = once(() =>
    byId(pairsOf(slots.manufacturer).filter((pair) => idOf(pair) !== 0 && release.text(pair) !== '')),
  );
  const wmisOfManufacturers = once(() => groupBy(wmiType.keys(), (wmi) => wmiManufacturer[wmi]!));

  /** Tells whether this is the row with that id, or one whose name contains the text. Undefined is every row. */
  function filter(wanted: string | number | undefined): (pair: number) => boolean {
    if (wanted === undefined) return () => true;
    if (typeof wanted === 'number') return (pair) => idOf(pair) === wanted;
    const text = wanted.trim().toUpperCase();
    return (pair) => release.text(pair).toUpperCase().includes(text);
  }

  const typeFilter = (wanted: string | number | undefined) => {
    const text = String(wanted ?? '')
      .trim()
      .toLowerCase();
    return (type: ReturnType<typeof typeOf>): boolean =>
      wanted === undefined ||
      (type !== null &&
        (typeof wanted === 'number' ? type.id === wanted : type.name.toLowerCase().includes(text)));
  };

  /** The rows of a list whose pairs come from `pairs`, which is called when the first part is read. */
  function* inParts<T>(pairs: () => readonly number[], rowsOf: (pair: number) => T[]): Generator<T[]> {
    const all = pairs();
    for (let start = 0; start < all.length; start += ROWS_PER_PART)
      yield all.slice(start, start + ROWS_PER_PART).flatMap(rowsOf);
  }

  const manufacturerOf = (pair: number): Manufacturer => ({
    ...named(pair),
    vehicleTypes: (typesOfManufacturers().get(pair) ?? []).flatMap((type) => typeOf(type) ?? []),
  });

  return {
    makeTypes({ make, vehicleType }) {
      const [isMake, isType] = [filter(make), typeFilter(vehicleType)];
      return inParts(makePairs, (pair): MakeOfType[] => {
        if (!isMake(pair)) return [];
        const types = typesOfMakes().get(pair)!.map(typeOf);
        return types.flatMap((type) =>
          type && isType(type) ? [{ make: named(pair), vehicleType: type }] : [],
        );
      });
    },
    manufacturers(wanted) {
      const isWanted = filter(wanted);
      return inParts(manufacturerPairs, (pair) => (isWanted(pair) ? [manufacturerOf(pair)] : []));
    },
    manufacturerPage: (from, count) =>
      manufacturerPairs()
        .slice(from, from + count)
        .map(manufacturerOf),
    manufacturerMakes(wanted, year) {
      const isWanted = filter(wanted);
      const covers = (wmi: number): boolean =>
        year === undefined ||
        links
          .subarray(linkFromWmi[wmi], linkFromWmi[wmi + 1])
          .some((link) => linkCovers(link, year - FIRST_YEAR));
      return inParts(manufacturerPairs, (pair) => {
        if (!isWanted(pair)) return [];
        const wmis = (wmisOfManufacturers().get(pair) ?? []).filter(covers);
        const makes = byId(new Set(wmis.flatMap((wmi) => [...makesOf(wmi)])));
        return makes.map((make) => ({ manufacturer: named(pair), make: named(make) }));
      });
    },
    wmis({ manufacturer, vehicleType }) {
      const [isWanted, isType] = [filter(manufacturer), typeFilter(vehicleType)];
      const codes = release.wmiCodes();
      return inParts(manufacturerPairs, (pair): ManufacturerWmi[] => {
        if (!isWanted(pair)) return [];
        return (wmisOfManufacturers().get(pair) ?? []).flatMap((wmi) => {
          const type = typeOf(wmiType[wmi]!);
          if (!isType(type)) return [];
          const published = new Date(release.wmiPublic[wmi]! * 1000).toISOString().slice(0, 10);
          return [{ wmi: codes[wmi]!, manufacturer: named(pair), vehicleType: type, published }];
        });
      });
    },
    variableList: () =>
      Array.from(release.elementId, (id, slot): VariableInfo & { isPrinted: boolean } => ({
        id,
        name: release.elementName[slot]!,
        group: release.elementGroup[slot] || null,
        dataType: release.elementType[slot]!,
        isPrinted: (release.elementFlags[slot]! & PRINTED) !== 0,
      })).flatMap(({ isPrinted, ...variable }) => (isPrinted ? [variable] : [])),
    variableValues(wanted) {
      const text = String(wanted).trim().toLowerCase();
      const slot = release.elementId.findIndex((id, index) =>
        typeof wanted === 'number' ? id === wanted : release.elementName[index]!.toLowerCase() === text,
      );
      if (slot === -1 || (release.elementFlags[slot]! & LOOKUP) === 0) return [];
      const variable = release.elementName[slot]!;
      if (release.elementId[slot] === ERROR_CODE)
        return [Array.from(release.errorName, ([id, name]) => ({ variable, id, name }))];
      return inParts(
        () => byId(pairsOf(slot)),
        (pair) => (idOf(pair) === 0 || release.text(pair) === '' ? [] : [{ variable, ...named(pair) }]),
      );
    },
  };
}
