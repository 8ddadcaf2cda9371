import { ENGINE_PRIORITY, FIRST_YEAR, LEVEL_MASK, LEVEL_SHIFT, PAIR_MASK } from './layout.ts';
import {
  CONVERSION,
  DEFAULT,
  ENGINE,
  FORMULA,
  PATTERN,
  SPEC,
  VIN,
  WMI,
  setItem,
  addRepeated,
  type Pass,
} from './matcher.ts';
import type { Release } from './reader.ts';

const REPEATING = 2;
const ALWAYS_FROM_SPECS = 4;
const SPEC_LEVEL_SHIFT = 18;
/** Rank of items without competitors. */
const UNCONTESTED = 1;

/** The steps of a pass after pattern matching. */
export function passSteps(release: Release) {
  const { pairSlot, elementFlags, firstPair, slots } = release;
  const plainPair = plainPairOf(release);

  /** Adds the engine model's items, ranked below all patterns. */
  function addEngine(pass: Pass): void {
    if (pass.engineRank === 0) return;
    const engine = release.engineOf[pass.enginePair - firstPair[slots.engine]!]!;
    if (engine === 0) return;
    for (let index = release.engineFrom[engine - 1]!; index < release.engineFrom[engine]!; index++) {
      const word = release.engine[index]!;
      const pair = word & PAIR_MASK;
      const slot = pairSlot[pair]!;
      if ((elementFlags[slot]! & REPEATING) !== 0) {
        addRepeated(pass, pair, 2 ** 30, pass.engineNamed, ENGINE);
        continue;
      }
      const rank = (ENGINE_PRIORITY << 6) + LEVEL_MASK - (word >> LEVEL_SHIFT);
      if (rank > pass.rank[slot]!) setItem(pass, slot, pair, rank, pass.engineNamed, ENGINE);
    }
  }

  function addMake(pass: Pass, wmi: number): void {
    if (pass.rank[slots.model] !== 0) {
      const model = plainPair(pass.pair[slots.model]!);
      const make = release.modelMake[model - firstPair[slots.model]!]!;
      if (make !== 0) setItem(pass, slots.make, make - 1, UNCONTESTED, pass.named[slots.model]!, PATTERN);
      return;
    }
    const from = release.wmiMakeFrom[wmi]!;
    if (release.wmiMakeFrom[wmi + 1]! - from === 1)
      setItem(pass, slots.make, release.wmiMake[from]!, UNCONTESTED, 0, WMI);
  }

  const convertible = Array.from(new Set([...release.conversionFrom, ...release.conversionTo]));

  /** Adds displacements in missing units, from the item with the highest rank. Converted items aren't converted again. */
  function convert(pass: Pass): void {
    const { conversionFrom, conversionTo, converted, convertedFrom } = release;
    const { rank, pair, source } = pass;
    let present = 0;
    for (let i = 0; i < convertible.length; i++) if (rank[convertible[i]!] !== 0) present++;
    if (present === 0 || present === convertible.length) return;
    for (let c = 0; c < conversionTo.length; c++) {
      const to = conversionTo[c]!;
      if (rank[to] !== 0) continue;
      let best = -1;
      for (let other = 0; other < conversionTo.length; other++) {
        const from = conversionFrom[other]!;
        if (conversionTo[other] !== to || rank[from] === 0 || source[from] === CONVERSION) continue;
        if (best === -1 || rank[from]! > rank[conversionFrom[best]!]!) best = other;
      }
      if (best === -1) continue;
      const from = conversionFrom[best]!;
      const result = converted[convertedFrom[best]! + plainPair(pair[from]!) - firstPair[from]!]!;
      if (result !== 0) setItem(pass, to, result - 1, UNCONTESTED, 0, CONVERSION);
    }
  }

  /** Adds the vehicle type's defaults for empty elements. */
  function addDefaults(pass: Pass, wmi: number): void {
    const type = release.typeOf[release.wmiType[wmi]!]!;
    if (type === -1) return;
    const end = release.defaultFrom[type + 1]!;
    for (let index = release.defaultFrom[type]!; index < end; index++) {
      const pair = release.defaults[index]!;
      const slot = pairSlot[pair]!;
      if (pass.rank[slot] === 0) setItem(pass, slot, pair, UNCONTESTED, 0, DEFAULT);
    }
  }

  function addIdentity(pass: Pass, wmi: number): void {
    const type = release.typeOf[release.wmiType[wmi]!]!;
    if (type !== -1) setItem(pass, slots.type, release.typePair[type]!, UNCONTESTED, 0, WMI);
    setItem(pass, slots.manufacturer, release.wmiManufacturer[wmi]!, UNCONTESTED, 0, WMI);
    if (pass.year !== 0) setItem(pass, slots.year, -1, UNCONTESTED, 0, VIN);
  }

  return {
    /** Everything that error codes depend on. */
    begin(pass: Pass, wmi: number): void {
      addEngine(pass);
      pass.found = pass.touchedCount > 0 || pass.repeatedPair.length > 0;
      addIdentity(pass, wmi);
      addMake(pass, wmi);
      convert(pass);
    },
    addSpecs: specAdder(release),
    addDefaults,
    /** The total weight of the elements found. */
    weight(pass: Pass): number {
      let sum = 0;
      for (let i = 0; i < pass.touchedCount; i++) {
        const slot = pass.touched[i]!;
        const pair = pass.pair[slot]!;
        if (pair === -1 || release.pairValue[pair] !== 0) sum += release.elementWeight[slot]!;
      }
      return sum;
    },
    /** The number of items from the manufacturer's patterns. */
    items(pass: Pass): number {
      let count = 0;
      for (let i = 0; i < pass.touchedCount; i++) {
        const slot = pass.touched[i]!;
        const source = pass.source[slot];
        if ((source === PATTERN || source === FORMULA || source === ENGINE) && slot !== slots.make) count++;
      }
      for (const source of pass.repeatedSource) if (source !== SPEC) count++;
      return count;
    },
  };
}

/** A pair without its formula. */
function plainPairOf({ formulaFrom, formulaBase }: Release): (pair: number) => number {
  return (pair) => (pair >= formulaFrom ? formulaBase[pair - formulaFrom]! : pair);
}

/** Adds vehicle specs: the newest applicable row for each wanted element that's still empty. */
function specAdder(release: Release): (pass: Pass, wmi: number, wanted: Uint8Array) => void {
  const { pairSlot, pairFold, elementFlags, firstPair, slots, spec, modelSpec } = release;
  const plainPair = plainPairOf(release);
  const folded = (pair: number): number => {
    const plain = plainPair(pair);
    return plain - pairFold[plain]!;
  };
  const specLevel = new Int32Array(release.slotCount).fill(-1);
  const specPair = new Int32Array(release.slotCount);
  const candidates: number[] = [];

  function hasKey(pass: Pass, key: number): boolean {
    const slot = pairSlot[key]!;
    if (pass.rank[slot] !== 0 && folded(pass.pair[slot]!) === key) return true;
    return (elementFlags[slot]! & REPEATING) !== 0 && pass.repeatedPair.some((pair) => folded(pair) === key);
  }

  function collect(pass: Pass, start: number, wanted: Uint8Array): void {
    let index = start + 5;
    for (let pattern = spec[start + 4]!; pattern > 0; pattern--) {
      const keys = spec[index]! >> 16;
      const rows = spec[index]! & 0xffff;
      const rowsFrom = index + 1 + keys;
      let applies = true;
      for (let key = index + 1; key < rowsFrom && applies; key++) applies = hasKey(pass, spec[key]!);
      index = rowsFrom + rows;
      if (!applies) continue;
      for (let row = rowsFrom; row < index; row++) {
        const pair = spec[row]! & PAIR_MASK;
        const slot = pairSlot[pair]!;
        if (wanted[slot] === 0) continue;
        if (pass.rank[slot] !== 0 && (elementFlags[slot]! & ALWAYS_FROM_SPECS) === 0) continue;
        const level = spec[row]! >>> SPEC_LEVEL_SHIFT;
        if (specLevel[slot] === -1) candidates.push(slot);
        else if (specLevel[slot]! <= level) continue;
        specLevel[slot] = level;
        specPair[slot] = pair;
      }
    }
  }

  // The fields that decide whether specs apply, stored together in the order of iteration.
  const specHeads = new Int32Array(modelSpec.length * 4);
  for (let index = 0; index < modelSpec.length; index++) {
    const start = modelSpec[index]!;
    specHeads[index * 4] = start;
    specHeads[index * 4 + 1] = (spec[start]! << 8) | spec[start + 1]!;
    specHeads[index * 4 + 2] = spec[start + 2]!;
    specHeads[index * 4 + 3] = spec[start + 3]!;
  }

  function isOfMaker(head: number, wmi: number): boolean {
    const { wmiMake, wmiMakeFrom } = release;
    const end = wmiMakeFrom[wmi + 1]!;
    for (let index = wmiMakeFrom[wmi]!; index < end; index++) {
      if (((wmiMake[index]! << 8) | release.wmiType[wmi]!) === head) return true;
    }
    return false;
  }

  return function addSpecs(pass: Pass, wmi: number, wanted: Uint8Array): void {
    if (pass.rank[slots.model] === 0) return;
    const model = plainPair(pass.pair[slots.model]!) - firstPair[slots.model]!;
    const bit = pass.year - FIRST_YEAR;
    const end = release.modelSpecFrom[model + 1]! * 4;
    for (let head = release.modelSpecFrom[model]! * 4; head < end; head += 4) {
      // The highest bit means that the specs apply to all years.
      const anyYear = specHeads[head + 3]! < 0;
      if (!anyYear && (pass.year === 0 || ((specHeads[head + 2 + (bit >> 5)]! >>> (bit & 31)) & 1) === 0))
        continue;
      if (isOfMaker(specHeads[head + 1]!, wmi)) collect(pass, specHeads[head]!, wanted);
    }
    for (const slot of candidates) {
      const pair = specPair[slot]!;
      specLevel[slot] = -1;
      if ((elementFlags[slot]! & REPEATING) !== 0) addRepeated(pass, pair, 2 ** 30 + 1, 0, SPEC);
      else if (pass.rank[slot] === 0) setItem(pass, slot, pair, UNCONTESTED, 0, SPEC);
    }
    candidates.length = 0;
  };
}
