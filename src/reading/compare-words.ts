import type { Vehicle } from '@monroney/vin';
import { shortName } from '../lib/car-name.ts';
import { money } from '../lib/money.ts';
import { capital, inWords, listed, titleCase } from '../lib/words.ts';
import type { ComparedLine } from './compare.ts';
import type { Reading } from './types.ts';

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** The shortest names that tell the cars apart: trim, model, make, year, or their order. */
export function namesApart(vehicles: readonly (Vehicle | null)[]): string[] {
  const ways: ((vehicle: Vehicle | null) => string | null | undefined)[] = [
    (vehicle) => (oneModel(vehicles) ? vehicle?.trim : null),
    (vehicle) => vehicle?.model,
    shortName,
    (vehicle) => vehicle?.make && `${titleCase(vehicle.make)} ${shortName(vehicle) ?? ''}`.trim(),
    (vehicle) => vehicle?.year && `${vehicle.year} ${shortName(vehicle) ?? ''}`.trim(),
  ];
  for (const way of ways) {
    const names = vehicles.map(way);
    if (names.every((name): name is string => Boolean(name) && name!.length <= 32 && !/[,/]/.test(name!))) {
      if (new Set(names).size === names.length) return names;
    }
  }
  return vehicles.map((_, at) => `${ORDINALS[at]} car`);
}

function oneModel(vehicles: readonly (Vehicle | null)[]): boolean {
  return vehicles.every((vehicle) => vehicle?.model && vehicle.model === vehicles[0]?.model);
}

/** The answer as a heading: `The Rubicon cost $3,455 more than the Mojave`. */
export function headline(names: readonly string[], totals: readonly (number | null)[]): string {
  if (!totals.every((total): total is number => total !== null))
    return `${capital(listed(names.map((name) => `the ${name}`)))}, side by side`;
  const most = Math.max(...totals);
  const least = Math.min(...totals);
  if (most === least) return `${allOf(totals.length)} cost ${money(most)} new`;
  const dearest = names[totals.indexOf(most)]!;
  const cheapest = names[totals.indexOf(least)]!;
  if (totals.length === 2) return `The ${dearest} cost ${money(most - least)} more than the ${cheapest}`;
  return `The ${dearest} cost most, ${money(most - least)} more than the ${cheapest}`;
}

function allOf(count: number): string {
  return count === 2 ? 'Both' : `All ${inWords(count)}`;
}

/** What makes the difference, in a sentence or two. */
export function leadWords(readings: readonly Reading[], lines: readonly ComparedLine[]): string {
  const count = allOf(readings.length);
  const closing = readings.every(({ proof }) => proof?.closes)
    ? `${count} labels add up to the cent.`
    : 'Not every label could be read to the cent, so trust the labels before this table.';
  const largest = lines.filter(({ same, difference }) => !same && difference !== 0).slice(0, 2);
  if (largest.length === 0) return `${closing} Line by line they are the same.`;
  const named = largest.map(
    ({ name, difference }) =>
      `${name.replace(/(?<![\s:])[\s:]+$/, '').replace(/^(Base price|Exterior paint|Destination)$/, (own) => own.toLowerCase())}, ${money(Math.abs(difference))}`,
  );
  return `${closing} The largest ${largest.length === 1 ? 'difference is' : 'differences are'} ${named.join(', and ')}.`;
}
