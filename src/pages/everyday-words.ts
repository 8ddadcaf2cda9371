import type { Reading } from '@monroney/label/reading/types';
import type { Vehicle } from '@monroney/vin';
import { carName } from '@monroney/label/lib/names';
import { printedCarOf, type LookupResult } from '../lookup/finding.ts';
import { capitalize, companyName, hybridWord, inWords, money, plantName } from '@monroney/label/lib/words';

/** vPIC's terms in everyday words, for the pages. The API returns vPIC's own. */

/** A car's name: as its label names it, else as vPIC does. Without a make, names the manufacturer. */
export function carTitle(found: Pick<LookupResult, 'decoded' | 'finding'>): string {
  const { vehicle } = found.decoded;
  const maker = vehicle?.manufacturer;
  return (
    carName(vehicle, printedCarOf(found)) ??
    (maker ? `A car made by ${companyName(maker)}` : 'A car from an unknown manufacturer')
  );
}

/** The same for the top of a page, where a sample must say that it is one. */
export function pageTitle(found: Pick<LookupResult, 'decoded' | 'finding' | 'specimen'>): string {
  return `${found.specimen ? 'Sample: ' : ''}${carTitle(found)}`;
}

/** The total on a sticker, `$50,410` or `$50,410 CAD`; null if its prices don't add up. */
export function priceNew(reading: Pick<Reading, 'label' | 'proof'> | null): string | null {
  const { total, currency } = reading?.label?.prices ?? {};
  if (!total || !reading?.proof?.closes) return null;
  return `${money(total)}${currency === 'CAD' ? ' CAD' : ''}`;
}

/** `2.0 L 4-cylinder, gasoline`. */
export function engineWords(vehicle: Vehicle): string | null {
  const { displacement, cylinders, fuel, electrification } = vehicle.engine;
  const liters = displacement ? `${displacement.replace(/L$/, '')} L` : null;
  const count = cylinders ? `${cylinders}-cylinder` : null;
  const size = [liters, count].filter(Boolean).join(' ');
  const kind = fuel?.replace(/(?<!\s)\s*\([^()]*\)/, '').toLowerCase() ?? null;
  const hybrid = hybridWord(electrification);
  if (!size && kind === 'electric' && !hybrid) return 'Electric';
  // NHTSA's primary fuel of some hybrids with a plug.
  const fuelKind = hybrid && kind === 'electric' ? null : kind;
  return [size, [fuelKind, hybrid].filter(Boolean).join(' ')].filter(Boolean).join(', ') || null;
}

const DRIVES: Record<string, string> = {
  '4WD': 'Four-wheel drive',
  AWD: 'All-wheel drive',
  FWD: 'Front-wheel drive',
  RWD: 'Rear-wheel drive',
  '4x2': 'Two-wheel drive',
};

export function driveWords({ driveType }: Vehicle): string | null {
  if (!driveType) return null;
  return DRIVES[driveType.split('/')[0]!] ?? driveType;
}

const BODIES: [RegExp, string][] = [
  [/^Sport Utility Vehicle/, 'SUV'],
  [/^Crossover/, 'crossover'],
  [/^Sedan/, 'sedan'],
  [/^Hatchback/, 'hatchback'],
  [/^Convertible/, 'convertible'],
  [/^Coupe/, 'coupe'],
  [/^Wagon/, 'wagon'],
  [/^Minivan/, 'minivan'],
  [/^Pickup/, 'pickup'],
  [/van/i, 'van'],
];

/** `Four-door SUV`. */
export function bodyWords({ bodyClass, doors }: Vehicle): string | null {
  if (!bodyClass) return null;
  // `Incomplete - Chassis Cab (Single Cab)`.
  const chassis = /^Incomplete - ([^(]+)/.exec(bodyClass)?.[1]?.trim().toLowerCase();
  const short = BODIES.find(([pattern]) => pattern.test(bodyClass))?.[1] ?? chassis ?? bodyClass;
  const counted =
    Number(doors) >= 2 && Number(doors) <= 5 ? `${inWords(Number(doors))}-door ${short}` : short;
  return capitalize(counted);
}

/** The kind of vehicle: `SUV`, `pickup`, `sedan`. */
export function kindWord({ bodyClass }: Vehicle): string | null {
  return (bodyClass && BODIES.find(([pattern]) => pattern.test(bodyClass))?.[1]) || null;
}

/** `Detroit, Michigan`. */
export function plantWords({ plant }: Vehicle): string | null {
  return plant && plantName(plant);
}

/** Name and value of each known fact. On phones the names aren't shown, so the values must be clear without them. */
export function facts(vehicle: Vehicle, transmission: string | null): [string, string][] {
  const plant = plantWords(vehicle);
  const rows: [string, string | null][] = [
    ['Engine', engineWords(vehicle)],
    ['Drive', driveWords(vehicle)],
    ['Transmission', vehicle.transmission ?? transmission],
    ['Body', bodyWords(vehicle)],
    ['Plant', plant && `Built in ${plant}`],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null);
}
