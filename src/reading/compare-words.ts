import type { Vehicle } from '@monroney/vin';
import { modelName, shortName, optionName } from '../lib/names.ts';
import { money, signedMoney, capitalize, inWords, joinWithAnd, titleCase } from '../lib/words.ts';
import type { ComparedLine } from './compare.ts';
import type { Reading } from './types.ts';

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** The shortest names that distinguish the cars: trim, model, make, year, or their order. */
export function namesApart(vehicles: readonly (Vehicle | null)[]): string[] {
  const ways: ((vehicle: Vehicle | null) => string | null | undefined)[] = [
    (vehicle) => (oneModel(vehicles) ? vehicle?.trim : null),
    modelName,
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

/** The result as a heading: `The Rubicon cost $3,455 more than the Mojave`. */
export function headline(names: readonly string[], totals: readonly (number | null)[]): string {
  if (!totals.every((total): total is number => total !== null))
    return `${capitalize(joinWithAnd(names.map((name) => `the ${name}`)))}, side by side`;
  const highest = Math.max(...totals);
  const lowest = Math.min(...totals);
  if (highest === lowest) return `${allOf(totals.length)} cost ${money(highest)} new`;
  const dearest = names[totals.indexOf(highest)]!;
  const cheapest = names[totals.indexOf(lowest)]!;
  if (totals.length === 2) return `The ${dearest} cost ${money(highest - lowest)} more than the ${cheapest}`;
  return `The ${dearest} cost the most, ${money(highest - lowest)} more than the ${cheapest}`;
}

function allOf(count: number): string {
  return count === 2 ? 'Both' : `All ${inWords(count)}`;
}

const MAX_SHOWN = 3;

/** The lines that make up the price difference between the most and the least expensive car. */
export function leadWords(
  readings: readonly Reading[],
  lines: readonly ComparedLine[],
  names?: readonly string[],
): string {
  const doubt = readings.every(({ proof }) => proof?.closes)
    ? ''
    : ' Not every sticker could be read to the cent, so trust the stickers over this table.';
  const totals = readings.map(({ label }) => label?.prices.total ?? 0);
  const highest = totals.indexOf(Math.max(...totals));
  const lowest = totals.indexOf(Math.min(...totals));
  const amount = (price: ComparedLine['prices'][number] | undefined) =>
    typeof price === 'number' ? price : 0;
  const [dearest, cheapest] = highest === lowest ? [0, 1] : [highest, lowest];
  const gaps = lines
    .map(({ name, prices }) => ({ name, gap: amount(prices[dearest]) - amount(prices[cheapest]) }))
    .filter(({ gap }) => gap !== 0)
    .sort((a, b) => Math.abs(b.gap) - Math.abs(a.gap));
  if (gaps.length === 0) return `Line by line they are the same.${doubt}`;
  const shown = gaps.slice(0, gaps.length === MAX_SHOWN + 1 ? MAX_SHOWN + 1 : MAX_SHOWN);
  const rest = gaps.slice(shown.length);
  const parts = shown.map(({ name, gap }) => `${plainName(name)} ${signedMoney(gap)}`);
  if (rest.length > 0) {
    const sum = rest.reduce((total, { gap }) => total + gap, 0);
    parts.push(`${inWords(rest.length)} smaller differences ${sum === 0 ? '$0' : signedMoney(sum)}`);
  }
  const who = names ? ` for the ${names[dearest]}` : '';
  return `The difference${who}: ${joinWithAnd(parts)}.${doubt}`;
}

/** As people write it; our own names in lower case. */
function plainName(name: string): string {
  return optionName(name).replace(/^(Base price|Exterior paint|Destination)$/, (own) => own.toLowerCase());
}
