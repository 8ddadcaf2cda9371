/**
 * The layout of the data file, shared by the decoder and the program that writes the file.
 *
 * Per schema, a trie of tests in preorder. A word below zero is a pattern:
 * sign | more (1) | named positions (6) | level (6) | pair (18).
 * Any other word is a test: number (15) | how many words to skip if it fails (16).
 * With `more` set, one more word follows: the order of a repeating element's items, or the level for choosing the engine model.
 */
export const PAIR_MASK = 0x3ffff;
export const LEVEL_SHIFT = 18;
export const LEVEL_MASK = 0x3f;
export const NAMED_SHIFT = 24;
export const NAMED_MASK = 0x3f;
export const MORE = 0x40000000;
export const SIZE_MASK = 0xffff;
export const TEST_SHIFT = 16;
export const MAX_TESTS = 0x8000;

/** Priorities of the procedure; in a rank they come before the level. */
export const FORMULA_PRIORITY = 100;
export const ENGINE_PRIORITY = 50;

/** Characters by number: digits, letters, `_`, `#`; any other is 63. */
export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_#';
/** `*` in a partial VIN: an unknown character. */
export const UNKNOWN_CHARACTER = 61;
/** After the end of a partial VIN; no test accepts it. */
export const ABSENT_CHARACTER = 62;
export const OTHER_CHARACTER = 63;

export const FIRST_YEAR = 1980;
/** Last year of a link without an end. */
export const OPEN_YEAR = 255;

/** Indexes of the VIN characters that patterns can find wrong: positions 4–8 and 11–14. */
export const CHECKED_INDEXES = [3, 4, 5, 6, 7, 10, 11, 12, 13];
export const CHECKED_COUNT = 9;

/** Numeric sections with bytes per number; `delta` sections store differences from the previous number. */
export const sections = {
  elementId: { wide: 2, delta: false },
  elementWeight: { wide: 2, delta: false },
  /** 1 printed (public, with a decode), 2 repeating, 4 always filled from vehicle specs, 8 uses a lookup table. */
  elementFlags: { wide: 1, delta: false },
  pairSlot: { wide: 1, delta: true },
  pairValue: { wide: 4, delta: true },
  /** Distance to the first pair that differs only in case. */
  pairFold: { wide: 4, delta: false },
  /** Per pair that isn't a formula: its row in the lookup table plus one, or 0. */
  pairRow: { wide: 4, delta: false },
  formulaBase: { wide: 4, delta: true },
  formulaStart: { wide: 1, delta: false },
  formulaLength: { wide: 1, delta: false },
  testPlace: { wide: 1, delta: true },
  testLo: { wide: 4, delta: false },
  testHi: { wide: 4, delta: false },
  trie: { wide: 4, delta: false },
  schemaSize: { wide: 4, delta: false },
  /** Per schema, nine set numbers; 0 where no pattern names a character. */
  schemaValid: { wide: 2, delta: false },
  setLo: { wide: 4, delta: false },
  setHi: { wide: 4, delta: false },
  wmiManufacturer: { wide: 4, delta: false },
  wmiType: { wide: 1, delta: false },
  wmiTruck: { wide: 1, delta: false },
  wmiPublic: { wide: 4, delta: false },
  wmiMakeCount: { wide: 2, delta: false },
  wmiMake: { wide: 4, delta: false },
  wmiLinkCount: { wide: 2, delta: false },
  linkSchema: { wide: 4, delta: true },
  linkFrom: { wide: 1, delta: false },
  linkTo: { wide: 1, delta: false },
  /** Per model pair. */
  modelMake: { wide: 4, delta: true },
  modelSpecCount: { wide: 2, delta: false },
  modelSpec: { wide: 4, delta: true },
  spec: { wide: 4, delta: false },
  /** Per engine-model pair: number of the engine plus one. */
  engineOf: { wide: 2, delta: false },
  engineSize: { wide: 2, delta: false },
  engine: { wide: 4, delta: false },
  conversionFrom: { wide: 1, delta: false },
  conversionTo: { wide: 1, delta: false },
  /** Per conversion, per pair of its element: the pair it becomes, plus one. */
  converted: { wide: 4, delta: true },
  typeId: { wide: 1, delta: false },
  typePair: { wide: 4, delta: false },
  defaultCount: { wide: 2, delta: false },
  defaults: { wide: 4, delta: false },
  bodyGlider: { wide: 4, delta: false },
  bodyOffRoad: { wide: 4, delta: false },
  bodyIncomplete: { wide: 4, delta: false },
  errorId: { wide: 2, delta: false },
  stringLength: { wide: 2, delta: false },
} as const;

/** The arrays of numbers of so many bytes. */
export const arrayOf = (wide: 1 | 2 | 4) => (wide === 1 ? Uint8Array : wide === 2 ? Uint16Array : Int32Array);

/** Text sections; items end with line feeds. */
export const texts = [
  'strings',
  'elementNames',
  'elementCodes',
  'elementGroups',
  'elementTypes',
  'wmis',
  'exceptions',
  'errorNames',
  'typeNames',
] as const;

export type SectionName = keyof typeof sections;
export type TextName = (typeof texts)[number];

/** Where each list begins in an array of lists, from their lengths; one more entry for the end. */
export function startIndexes(counts: ArrayLike<number>): Int32Array {
  const from = new Int32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) from[i + 1] = from[i]! + counts[i]!;
  return from;
}
