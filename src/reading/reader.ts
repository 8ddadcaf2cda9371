import type { Label, LabelText } from './types.ts';
import type { Line } from './lines.ts';
import { boxOf } from './boxes.ts';

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

/** EnerGuide, Canada's energy label, or its unit of consumption. No US label has either. */
const CANADIAN = /(?:nrcan|rncan)\.gc\.ca|[EÉ]nerGuide|\bL\/100 ?km\b/i;

export function marketOf(sheet: Sheet): 'US' | 'CA' {
  return CANADIAN.test(sheet.words) ? 'CA' : 'US';
}

/** An empty label. */
export function blankLabel(make: string, market: 'US' | 'CA' = 'US', language: 'en' | 'fr' = 'en'): Label {
  return {
    make,
    model: null,
    year: null,
    market,
    language,
    exterior: null,
    interior: null,
    engine: null,
    transmission: null,
    assembly: null,
    prices: {
      currency: market === 'CA' ? 'CAD' : 'USD',
      base: null,
      options: [],
      discounts: [],
      taxes: [],
      fees: [],
      destination: null,
      total: null,
    },
    standard: [],
    fuelEconomy: null,
    places: {},
  };
}

/** Records where a field was read. Recorded text has no positions. */
export function recordPlace(label: Label, field: string, ...lines: (Line | null | undefined)[]): void {
  const box = boxOf(...lines);
  if (box) label.places[field] = box;
}
