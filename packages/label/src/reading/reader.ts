import type { Label, LabelText, Box, Line } from './types.ts';

/** A label as a reader sees it. */
export interface Sheet {
  text: LabelText;
  lines: Line[];
  /** All lines joined, to search the complete text. */
  words: string;
  positioned: boolean;
  vin: string | null;
}

export interface ReadContext {
  /** As people write it: `Alfa Romeo`, `Ram`. */
  make?: string;
  vin?: string;
  /** Decodes the make if it isn't known. The VIN's prefix isn't enough, because makes share prefixes. */
  makeOf?: (vin: string) => string | null | undefined;
}

export interface Read {
  label: Label;
  /** The manufacturer's own printed sum of options, where there is one, and our sum of the lines above it. */
  options?: OptionsSum;
}

export interface OptionsSum {
  printed: number;
  sum: number;
}

/** Reads the labels of one manufacturer. */
export interface Reader {
  /** The name in the version that is stored with a reading. */
  family: string;
  /** Increase it when readings change, so that stored ones are read again. */
  version: number;
  /** True if these labels print a paint code. */
  printsPaintCode?: true;
  recognizes(sheet: Sheet): boolean;
  /** Null if the layout is unknown. Readers never guess. */
  read(sheet: Sheet, context: ReadContext): Read | null;
}

/**
 * EnerGuide, Canada's energy label, or its unit of consumption; a Canadian website; an address with a province and
 * postal code. No US label has any of them.
 */
const CANADIAN = /(?:nrcan|rncan)\.gc\.ca|[EÉ]nerGuide|\bL\/100 ?km\b|\bwww\.[\w-]+\.ca(?!\w|\.\w)/i;
const CANADIAN_ADDRESS =
  /\b(?:AB|BC|MB|NB|NL|NS|NT|NU|ON|PE|QC|SK|YT),?\s+[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d$/m;

export function marketOf(sheet: Sheet): 'US' | 'CA' {
  return CANADIAN.test(sheet.words) || CANADIAN_ADDRESS.test(sheet.words) ? 'CA' : 'US';
}

/** A label with nothing on it: every key in the order of the schema, which readers fill in. */
export function blankLabel(make: string, market: 'US' | 'CA' = 'US', language: 'en' | 'fr' = 'en'): Label {
  return {
    make,
    nameplate: null,
    model: null,
    year: null,
    market,
    language,
    exterior: null,
    series: null,
    interior: null,
    seats: null,
    engine: null,
    transmission: null,
    wheelbase: null,
    assembly: null,
    portOfEntry: null,
    shipTo: null,
    delivery: { dealer: null, orderNumber: null, transport: null },
    created: null,
    optionCodes: null,
    prices: {
      currency: market === 'CA' ? 'CAD' : 'USD',
      base: null,
      options: [],
      discounts: [],
      taxes: [],
      fees: [],
      subtotal: null,
      destination: null,
      total: null,
    },
    standard: [],
    fuelEconomy: null,
    safety: null,
    parts: null,
    warranty: null,
    places: {},
  };
}

/** Records where a field was read. Recorded text has no positions. */
export function recordPlace(label: Label, field: string, ...lines: (Line | null | undefined)[]): void {
  const box = boxOf(...lines);
  if (box) label.places[field] = box;
}

/** The fields that are a text as printed, or null. */
type TextField = {
  [Field in keyof Label]: null extends Label[Field]
    ? Label[Field] extends string | null
      ? Field
      : never
    : never;
}[keyof Label];

/** Sets a field to what is printed, and records where. */
export function setText(
  label: Label,
  field: TextField,
  text: string | null | undefined,
  ...lines: (Line | null | undefined)[]
): void {
  label[field] = text ?? null;
  recordPlace(label, field, ...lines);
}

/** Sets a price, and records where it is printed. */
export function setPrice(
  label: Label,
  field: 'base' | 'subtotal' | 'destination' | 'total',
  cents: number | null,
  ...lines: (Line | null | undefined)[]
): void {
  label.prices[field] = cents;
  recordPlace(label, `prices.${field}`, ...lines);
}

/** Letters reach about this share of the font size above their baseline. */
const ASCENT = 0.8;

/** The box around lines, to highlight them on a page; none in recorded text. */
export function boxOf(...lines: (Line | null | undefined)[]): Box | undefined {
  const printed = lines.filter((line): line is Line => line?.positioned === true);
  const [first] = printed;
  if (!first) return undefined;
  // Of a name that continues in the next column, only the first part is highlighted.
  const beside = printed.filter((line) => line.page === first.page && Math.abs(line.y - first.y) < 80);
  // A name that a reader joined from two lines has runs on both.
  const last = beside.map((line) => ({ ...line, y: Math.max(line.y, ...line.items.map(({ y }) => y)) }));
  return boxAround([...beside, ...last], first.page);
}

/** The box around lines or words. */
export function boxAround(parts: Pick<Line, 'x' | 'right' | 'y' | 'size'>[], page = 1): Box {
  const left = Math.min(...parts.map(({ x }) => x));
  const top = Math.min(...parts.map(({ y, size }) => y - size * ASCENT));
  const right = Math.max(...parts.map((part) => part.right));
  const bottom = Math.max(...parts.map(({ y, size }) => y + size * (1 - ASCENT)));
  return { page, x: round(left), y: round(top), width: round(right - left), height: round(bottom - top) };
}

function round(points: number): number {
  return Math.round(points * 10) / 10;
}
