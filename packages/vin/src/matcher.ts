import {
  CHECKED_INDEXES,
  FIRST_YEAR,
  FORMULA_PRIORITY,
  LEVEL_MASK,
  LEVEL_SHIFT,
  MORE,
  NAMED_MASK,
  NAMED_SHIFT,
  PAIR_MASK,
  SIZE_MASK,
  TEST_SHIFT,
} from './layout.ts';
import { linkCovers, linkFirstYear, linkSchemaOf, type Release } from './reader.ts';

/** Sources of items. */
export const PATTERN = 1;
export const FORMULA = 2;
export const ENGINE = 3;
export const CONVERSION = 4;
export const SPEC = 5;
export const DEFAULT = 6;
export const WMI = 7;
export const VIN = 8;

/** The items of one VIN for one model year: one per slot, plus lists for repeating elements. */
export interface Pass {
  /** 0 if the VIN names no model year. */
  year: number;
  /** Whether a pattern, a formula or an engine model gave an item. */
  found: boolean;
  /** Priority and level of the item in each slot; 0 if it's empty. */
  rank: Int32Array;
  pair: Int32Array;
  named: Uint8Array;
  source: Uint8Array;
  /** Slots with an item, in the order they were first filled. */
  touched: Uint8Array;
  touchedCount: number;
  repeatedPair: number[];
  repeatedOrder: number[];
  repeatedNamed: number[];
  repeatedSource: number[];
  /** The item that determines the engine model; it has its own ranking. */
  engineRank: number;
  enginePair: number;
  engineNamed: number;
}

export function newPass(slotCount: number): Pass {
  return {
    year: 0,
    found: false,
    rank: new Int32Array(slotCount),
    pair: new Int32Array(slotCount),
    named: new Uint8Array(slotCount),
    source: new Uint8Array(slotCount),
    touched: new Uint8Array(slotCount),
    touchedCount: 0,
    repeatedPair: [],
    repeatedOrder: [],
    repeatedNamed: [],
    repeatedSource: [],
    engineRank: 0,
    enginePair: -1,
    engineNamed: 0,
  };
}

export function clear(pass: Pass, year: number): void {
  const { rank, touched } = pass;
  for (let i = 0; i < pass.touchedCount; i++) rank[touched[i]!] = 0;
  pass.year = year;
  pass.found = false;
  pass.touchedCount = 0;
  if (pass.repeatedPair.length > 0) {
    pass.repeatedPair.length = 0;
    pass.repeatedOrder.length = 0;
    pass.repeatedNamed.length = 0;
    pass.repeatedSource.length = 0;
  }
  pass.engineRank = 0;
  pass.enginePair = -1;
  pass.engineNamed = 0;
}

export function addRepeated(pass: Pass, pair: number, order: number, named: number, source: number): void {
  pass.repeatedPair.push(pair);
  pass.repeatedOrder.push(order);
  pass.repeatedNamed.push(named);
  pass.repeatedSource.push(source);
}

export function setItem(
  pass: Pass,
  slot: number,
  pair: number,
  rank: number,
  named: number,
  source: number,
): void {
  if (pass.rank[slot] === 0) pass.touched[pass.touchedCount++] = slot;
  pass.rank[slot] = rank;
  pass.pair[slot] = pair;
  pass.named[slot] = named;
  pass.source[slot] = source;
}

/** Runs the patterns of a manufacturer's schemas over a VIN, given as character numbers. */
export function matcher(release: Release): (pass: Pass, wmi: number, codes: Uint8Array) => void {
  const { trie, pairSlot, formulaFrom, schemaFrom, linkFromWmi, links } = release;
  const engineSlot = release.slots.engine;
  const tests = testTable(release);

  /** Handles a pattern with a second word, or a formula. Returns the next index. */
  function addSpecialPattern(pass: Pass, word: number, index: number, priority: number): number {
    const pair = word & PAIR_MASK;
    const slot = pairSlot[pair]!;
    const named = (word >> NAMED_SHIFT) & NAMED_MASK;
    const source = pair >= formulaFrom ? FORMULA : PATTERN;
    const base = ((source === FORMULA ? FORMULA_PRIORITY : priority) << 6) + LEVEL_MASK;
    let next = index;
    if ((word & MORE) !== 0) {
      const more = trie[next++]!;
      if (slot !== engineSlot) {
        addRepeated(pass, pair, more, named, source);
        return next;
      }
      if (base - more > pass.engineRank) {
        pass.engineRank = base - more;
        pass.enginePair = pair;
        pass.engineNamed = named;
      }
    }
    const rank = base - ((word >> LEVEL_SHIFT) & LEVEL_MASK);
    if (rank > pass.rank[slot]!) setItem(pass, slot, pair, rank, named, source);
    return next;
  }

  function walk(pass: Pass, from: number, end: number, priority: number, codes: Uint8Array): void {
    const { rank } = pass;
    const base = (priority << 6) + LEVEL_MASK;
    let index = from;
    while (index < end) {
      const word = trie[index++]!;
      if (word >= 0) {
        const test = (word >> TEST_SHIFT) << 2;
        const code = codes[tests[test + 2]!]!;
        if (((tests[test + (code >> 5)]! >>> (code & 31)) & 1) === 0) index += word & SIZE_MASK;
        continue;
      }
      const pair = word & PAIR_MASK;
      if ((word & MORE) !== 0 || pair >= formulaFrom) {
        index = addSpecialPattern(pass, word, index, priority);
        continue;
      }
      const slot = pairSlot[pair]!;
      const itemRank = base - ((word >> LEVEL_SHIFT) & LEVEL_MASK);
      if (itemRank > rank[slot]!)
        setItem(pass, slot, pair, itemRank, (word >> NAMED_SHIFT) & NAMED_MASK, PATTERN);
    }
  }

  return (pass, wmi, codes) => {
    const year = pass.year === 0 ? -1 : pass.year - FIRST_YEAR;
    const end = linkFromWmi[wmi + 1]!;
    for (let link = linkFromWmi[wmi]!; link < end; link++) {
      const word = links[link]!;
      if (year !== -1 && !linkCovers(word, year)) continue;
      const schema = linkSchemaOf(word);
      walk(pass, schemaFrom[schema]!, schemaFrom[schema + 1]!, linkFirstYear(word) + FIRST_YEAR, codes);
    }
  };
}

/** Four words per test, so that each fits one cache line: two for the set, then the index in the VIN. */
function testTable({ testLo, testHi, testPlace }: Release): Int32Array {
  const table = new Int32Array(testLo.length * 4);
  for (let test = 0; test < testLo.length; test++) {
    table[test * 4] = testLo[test]!;
    table[test * 4 + 1] = testHi[test]!;
    table[test * 4 + 2] = testPlace[test]!;
  }
  return table;
}

/** Index at which serial numbers may begin. */
const SERIAL = 11;
const SERIAL_BITS = CHECKED_INDEXES.reduce(
  (bits, vinIndex, index) => (vinIndex < SERIAL ? bits : bits | (1 << index)),
  0,
);

/** Returns whether the decode of a manufacturer's VINs depends on anything after position 11. */
export function serialMatters(release: Release): (wmi: number) => boolean {
  const UNKNOWN = 0;
  const [no, yes] = [1, 2];
  const ofSchema = new Uint8Array(release.schemaFrom.length);
  const ofWmi = new Uint8Array(release.wmiType.length);

  /** Whether a pattern tests or prints such a character. */
  function isRead(schema: number): boolean {
    const { trie, testPlace, schemaFrom, formulaFrom } = release;
    for (let index = schemaFrom[schema]!; index < schemaFrom[schema + 1]!; index++) {
      const word = trie[index]!;
      if (word >= 0) {
        if (testPlace[word >> TEST_SHIFT]! >= SERIAL) return true;
        continue;
      }
      if ((word & PAIR_MASK) >= formulaFrom) return true;
      if ((word & MORE) !== 0) index++;
    }
    return false;
  }

  function anyIsRead(wmi: number): boolean {
    const { linkFromWmi, links, wmiPositions } = release;
    if ((wmiPositions(wmi) & SERIAL_BITS) !== 0) return true;
    for (let link = linkFromWmi[wmi]!; link < linkFromWmi[wmi + 1]!; link++) {
      const schema = linkSchemaOf(links[link]!);
      if (ofSchema[schema] === UNKNOWN) ofSchema[schema] = isRead(schema) ? yes : no;
      if (ofSchema[schema] === yes) return true;
    }
    return false;
  }

  return (wmi) => {
    if (ofWmi[wmi] === UNKNOWN) ofWmi[wmi] = anyIsRead(wmi) ? yes : no;
    return ofWmi[wmi] === yes;
  };
}
