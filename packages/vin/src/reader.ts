import type { VpicData } from './data-file.ts';
import { ALPHABET, CHECKED_COUNT, OTHER_CHARACTER, UNKNOWN_CHARACTER, startIndexes } from './layout.ts';

/** Slots of the elements that the procedure treats specially. */
export interface Slots {
  body: number;
  make: number;
  manufacturer: number;
  model: number;
  year: number;
  type: number;
  engine: number;
}

/** The data, indexed for decoding. Lists that share an array are given by their start indexes. */
export type Release = ReturnType<typeof readRelease>;

const utf8 = new TextDecoder();

const lines = (bytes: Uint8Array): string[] => utf8.decode(bytes).split('\n');

/** An array to fill later. Array.from takes ten times as long, which slows down loading. */
export const emptySlots = <T>(length: number): (T | undefined)[] =>
  // oxlint-disable-next-line unicorn/no-new-array
  new Array<T | undefined>(length).fill(undefined);

/** Decodes strings on first use, because most are never used. */
function stringTable(bytes: Uint8Array, lengths: ArrayLike<number>): (id: number) => string {
  const from = startIndexes(lengths);
  const decoded = emptySlots<string>(lengths.length);
  return (id) => (decoded[id] ??= utf8.decode(bytes.subarray(from[id], from[id + 1])));
}

/** Character code → its number in the alphabet. */
export const characterNumbers = (() => {
  const numbers = new Uint8Array(128).fill(OTHER_CHARACTER);
  for (let i = 0; i < ALPHABET.length; i++) numbers[ALPHABET.charCodeAt(i)] = i;
  numbers['*'.charCodeAt(0)] = UNKNOWN_CHARACTER;
  return numbers;
})();

/** A manufacturer identifier as the character numbers of a VIN that begins with it. */
export function wmiCodes(name: string, codes: Uint8Array = new Uint8Array(17)): Uint8Array {
  for (let i = 0; i < name.length; i++)
    codes[i < 3 ? i : i + 8] = characterNumbers[name.charCodeAt(i) & 127]!;
  return codes;
}

/** A six-character identifier as one number; three-character ones index a table. */
const wmiNumber = (codes: Uint8Array): number =>
  codes[2] === 9
    ? (((codes[0]! * 64 + codes[1]!) * 64 + codes[11]!) * 64 + codes[12]!) * 64 + codes[13]!
    : (codes[0]! * 64 + codes[1]!) * 64 + codes[2]!;

function wmiTable(names: string[]): (codes: Uint8Array) => number {
  const long = new Map<number, number>();
  const short = new Int16Array(64 * 64 * 64).fill(-1);
  const codes = new Uint8Array(17);
  names.forEach((name, wmi) => {
    const number = wmiNumber(wmiCodes(name, codes));
    if (name.length === 3) short[number] = wmi;
    else long.set(number, wmi);
  });
  return (vin) => (vin[2] === 9 ? (long.get(wmiNumber(vin)) ?? -1) : short[wmiNumber(vin)]!);
}

/** Exceptions are of a few models, so most VINs are told from them by their first characters, without looking for them in the list. */
function exceptionTest(listed: () => ReadonlySet<string>): (vin: string) => boolean {
  const hash = (vin: string): number => {
    let sum = 0;
    for (let index = 0; index < 8; index++) sum = Math.imul(sum, 31) + vin.charCodeAt(index);
    return sum & 65_535;
  };
  let hashes: Uint8Array | undefined;
  return (vin) => {
    if (!hashes) {
      hashes = new Uint8Array(65_536);
      for (const each of listed()) hashes[hash(each)] = 1;
    }
    return hashes[hash(vin)] === 1 && listed().has(vin);
  };
}

/** The elements that make up a `Vehicle`. */
const VEHICLE_ELEMENTS = [5, 9, 13, 14, 15, 24, 26, 27, 28, 29, 31, 37, 38, 63, 71, 75, 77, 126];

/** A manufacturer's link to a schema in one word: schema (16) | first year (8) | last year (8). */
export const linkSchemaOf = (link: number): number => link >>> 16;
export const linkFirstYear = (link: number): number => (link >> 8) & 0xff;
/** Years count from `FIRST_YEAR`; a link without an end has the largest number. */
export const linkCovers = (link: number, year: number): boolean =>
  year >= ((link >> 8) & 0xff) && year <= (link & 0xff);

/** Where the pairs of each slot begin, in a list sorted by slot; one more entry for the end. */
function slotStarts(pairSlot: ArrayLike<number>, slotCount: number): Int32Array {
  const starts = new Int32Array(slotCount + 1);
  for (let slot = 1; slot <= slotCount; slot++) {
    let [low, high] = [starts[slot - 1]!, pairSlot.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairSlot[middle]! < slot) low = middle + 1;
      else high = middle;
    }
    starts[slot] = low;
  }
  return starts;
}

const IS_COMPUTED = 0x8000;

/**
 * Which checked positions any pattern of a manufacturer names, as bits. For most, the serial number need not be checked.
 * Computed on first use, because most manufacturers are never used.
 */
function positionsTable(
  schemaValid: ArrayLike<number>,
  linkFromWmi: Int32Array,
  links: Int32Array,
): (wmi: number) => number {
  const table = new Uint16Array(linkFromWmi.length - 1);
  return (wmi) => {
    if (table[wmi] === 0) {
      let bits = IS_COMPUTED;
      for (let link = linkFromWmi[wmi]!; link < linkFromWmi[wmi + 1]!; link++) {
        const from = linkSchemaOf(links[link]!) * CHECKED_COUNT;
        for (let checked = 0; checked < CHECKED_COUNT; checked++)
          if (schemaValid[from + checked] !== 0) bits |= 1 << checked;
      }
      table[wmi] = bits;
    }
    return table[wmi]! & ~IS_COMPUTED;
  };
}

export function readRelease(data: VpicData) {
  const { numbers, bytes } = data;
  const elementIds = Array.from(numbers.elementId);
  const slotOf = new Map(elementIds.map((id, index) => [id, index]));
  const slot = (id: number): number => slotOf.get(id) ?? -1;
  const slots: Slots = {
    body: slot(5),
    make: slot(26),
    manufacturer: slot(27),
    model: slot(28),
    year: slot(29),
    type: slot(39),
    engine: slot(18),
  };
  // Locals, because loops over properties slow down loading.
  const { pairSlot, linkSchema, linkFrom, linkTo } = numbers;
  const formulaFrom = pairSlot.length - numbers.formulaBase.length;
  const slotFrom = slotStarts(pairSlot.subarray(0, formulaFrom), elementIds.length);
  const pairCount = (slot: number): number => slotFrom[slot + 1]! - slotFrom[slot]!;
  const firstPair = Int32Array.from(elementIds, (_, slot) => (pairCount(slot) === 0 ? -1 : slotFrom[slot]!));

  const linkFromWmi = startIndexes(numbers.wmiLinkCount);
  const links = new Int32Array(linkSchema.length);
  for (let link = 0; link < links.length; link++)
    links[link] = (linkSchema[link]! << 16) | (linkFrom[link]! << 8) | linkTo[link]!;
  const typeOf = new Int16Array(256).fill(-1);
  numbers.typeId.forEach((id, index) => (typeOf[id] = index));
  let exceptions: Set<string> | undefined;
  const listed = (): ReadonlySet<string> => (exceptions ??= new Set(lines(bytes.exceptions)));
  const string = stringTable(bytes.strings, numbers.stringLength);

  return {
    ...numbers,
    slots,
    slot,
    slotCount: elementIds.length,
    // The release writes KW and KWh, the live API kW and kWh.
    elementName: lines(bytes.elementNames).map((name) => name.replace('(KW', '(kW')),
    elementCode: lines(bytes.elementCodes),
    elementGroup: lines(bytes.elementGroups),
    elementType: lines(bytes.elementTypes),
    typeName: lines(bytes.typeNames),
    formulaFrom,
    firstPair,
    /** How many pairs a slot has, without formulas. */
    pairCount,
    wmiPositions: positionsTable(numbers.schemaValid, linkFromWmi, links),
    links,
    vehicleSlots: Uint8Array.from(elementIds, (id) => Number(VEHICLE_ELEMENTS.includes(id))),
    schemaFrom: startIndexes(numbers.schemaSize),
    wmi: wmiTable(lines(bytes.wmis)),
    /** The identifiers of the manufacturers, by number. */
    wmiCodes: (): string[] => lines(bytes.wmis),
    wmiMakeFrom: startIndexes(numbers.wmiMakeCount),
    linkFromWmi,
    modelSpecFrom: startIndexes(numbers.modelSpecCount),
    engineFrom: startIndexes(numbers.engineSize),
    convertedFrom: startIndexes(Array.from(numbers.conversionFrom, pairCount)),
    defaultFrom: startIndexes(numbers.defaultCount),
    typeOf,
    gliders: new Set(numbers.bodyGlider),
    offRoad: new Set(numbers.bodyOffRoad),
    incomplete: new Set(numbers.bodyIncomplete),
    /** VINs whose check digit isn't checked. */
    exceptions: listed,
    isException: exceptionTest(listed),
    errorName: new Map(lines(bytes.errorNames).map((name, index) => [numbers.errorId[index]!, name.trim()])),
    string,
    /** The printed value of a pair. */
    text: (pair: number): string => string(numbers.pairValue[pair]!),
    /** The row of a pair in its lookup table. */
    row: (pair: number): number | null =>
      (numbers.pairRow[pair] ?? 0) - 1 < 0 ? null : numbers.pairRow[pair]! - 1,
  };
}
