import type { Label, LabelText } from './types.ts';
import type { Line } from './lines.ts';
import { placeOf } from './places.ts';

/** A label as a reader sees it. */
export interface Sheet {
  text: LabelText;
  lines: Line[];
  /** All lines joined, for questions about the whole. */
  words: string;
  positioned: boolean;
  vin: string | null;
}

export interface ReadContext {
  /** As people write it: `Alfa Romeo`, `Ram`. */
  make?: string;
  vin?: string;
  /** Whose car a VIN is: the decoder's word, where the make is not known beforehand. First characters would not do: makes share them. */
  makeOf?: (vin: string) => string | null | undefined;
}

export interface Read {
  label: Label;
  /** The manufacturer's own printed sum of options, where there is one, and the sum of all that stood above it. */
  options?: OptionsSum;
}

export interface OptionsSum {
  printed: number;
  sum: number;
}

/** One manufacturer's way of printing. */
export interface Reader {
  /** Its name, for the version that is kept beside a reading. */
  family: string;
  /** Raise it when a reading changes: kept readings are then done again. */
  version: number;
  /** True where a label tells the paint's code. */
  printsPaintCode?: true;
  recognizes(sheet: Sheet): boolean;
  /** Null when the layout is not the one this reader knows: a miss, never a guess. */
  read(sheet: Sheet, context: ReadContext): Read | null;
}

/** Canada's own energy label, or its unit of consumption: no label for the United States has either. */
const CANADIAN = /nrcan\.gc\.ca|EnerGuide|\bL\/100 ?km\b/i;

export function marketOf(sheet: Sheet): 'US' | 'CA' {
  return CANADIAN.test(sheet.words) ? 'CA' : 'US';
}

/** A label on which nothing has been found yet. */
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

/** Notes where a field was read; nothing to note in recorded text. */
export function note(label: Label, field: string, ...lines: (Line | null | undefined)[]): void {
  const box = placeOf(...lines);
  if (box) label.places[field] = box;
}
