/** The content of a drawn label. Cars are invented; the total is computed, so the prices always add up. */
import type { Page, Quirks } from './pdf.ts';

export interface PricedLine {
  /** As printed before the name, with its dot. */
  code?: string;
  name: string;
  /** Cents; null for what is included. */
  price: number | null;
  children?: readonly string[];
}

export interface Car {
  vin: string;
  /** With normal capitals: `Ford`, `Alfa Romeo`. */
  make: string;
  model: string;
  /** The second line some makes print: a trim or series. */
  series: string;
  year: number;
  market: 'US' | 'CA';
  language: 'en' | 'fr';
  exterior: string;
  paintCode: string | null;
  interior: string;
  engine: string;
  transmission: string;
  assembly: string;
  base: number;
  options: readonly PricedLine[];
  /** Negative cents. */
  discounts: readonly { name: string; price: number }[];
  taxes: readonly { name: string; price: number }[];
  fees: readonly { name: string; price: number }[];
  destination: number;
  /** Standard equipment by section. */
  standard: Readonly<Record<string, readonly string[]>>;
  city: number;
  highway: number;
  /** Percent of US and Canadian parts, and the next source. */
  parts: { usCanadian: number; foreign: string; engine: string; transmission: string };
}

/** What a drawing defines for its make. The rest comes from the options of `draw`. */
export type Build = Omit<
  Car,
  'vin' | 'make' | 'year' | 'market' | 'language' | 'paintCode' | 'discounts' | 'taxes' | 'fees'
> &
  Partial<Pick<Car, 'paintCode' | 'discounts' | 'taxes' | 'fees'>>;

/** How a maker's labels are drawn, in `makers/`. */
export interface Drawing {
  /** The default car. */
  build: Build;
  quirks?: Quirks;
  draw(page: Page, car: Car): void;
  /** Draws what is hidden under the visible label, if anything. */
  drawHidden?(page: Page, car: Car): void;
}

const sum = (lines: readonly { price: number | null }[]): number =>
  lines.reduce((total, line) => total + (line.price ?? 0), 0);

export const optionsTotal = (car: Car): number => sum(car.options);
export const discountsTotal = (car: Car): number => sum(car.discounts);
export const total = (car: Car): number =>
  car.base + optionsTotal(car) + sum(car.taxes) + sum(car.fees) + car.destination + discountsTotal(car);

/** The harmonic mean the EPA prints: 55% city, 45% highway. */
export const combined = (car: Car): number => Math.round(1 / (0.55 / car.city + 0.45 / car.highway));

const grouped = (cents: number, separator: string): string =>
  String(Math.floor(Math.abs(cents) / 100)).replace(/\B(?=(\d{3})+$)/g, separator);

/** `1,495.00`, a credit `-250.00`. */
export const amount = (cents: number): string =>
  `${cents < 0 ? '-' : ''}${grouped(cents, ',')}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
/** `$1,495.00`. */
export const dollars = (cents: number): string => `$${amount(cents)}`;
/** `$1,495`, a credit with the en dash Stellantis prints. */
export const wholeDollars = (cents: number): string => `${cents < 0 ? '–' : ''}$${grouped(cents, ',')}`;
/** `1 495 $`. */
export const frenchDollars = (cents: number): string => `${cents < 0 ? '–' : ''}${grouped(cents, ' ')} $`;
