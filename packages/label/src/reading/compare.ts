import { shortName, type NameParts } from '../lib/names.ts';
import { optionName } from '../lib/option-names.ts';
import { money, signedMoney, capitalize, inWords, joinWithAnd } from '../lib/words.ts';
import type { Label, Reading } from './types.ts';

/** One line of the comparison: what each car paid for it; `none` where its label does not have it. */
export interface ComparedLine {
  name: string;
  prices: (number | 'none' | 'included')[];
  /** First minus second for two cars; the spread for more. */
  difference: number;
  same: boolean;
}

/** A car's name, and the paint that its label prints. */
export interface ComparedName extends NameParts {
  paint?: string | null;
}

interface Equipment {
  /** Standard items of this car that not all others have. */
  only: string[];
}

/** Names are printed with different dashes, marks and capitals from year to year. */
function keyOf(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '');
}

/** Words that one label prints and another leaves out in the name of the same thing. */
const OPTIONAL_WORDS =
  /^(?:a|and|the|of|with|w|for|front|package|pkg|group|kit|system|equipment|exterior|paint)$/;

/** The name without those words and without plurals; the full name if nothing would be left. */
function looseKeyOf(name: string): string {
  const words = name
    .toLowerCase()
    .normalize('NFKD')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => (word.length > 3 && !word.endsWith('ss') ? word.replace(/s$/, '') : word));
  const kept = words.filter((word) => !OPTIONAL_WORDS.test(word));
  return kept.length >= 2 ? kept.join('') : words.join('');
}

type Named<T extends { name: string }> = Map<string, T>;
type Amounts = Named<{ name: string; price: number | 'included' }>;

function amountsOf({ prices, exterior }: Label): Amounts {
  const amounts: Amounts = new Map();
  const add = (name: string, price: number | null, key = keyOf(name)) => {
    const before = amounts.get(key);
    // The same name twice is one line here, with both amounts.
    const sum = typeof before?.price === 'number' && price !== null ? before.price + price : price;
    amounts.set(key, { name: before?.name ?? name, price: sum ?? before?.price ?? 'included' });
  };
  if (prices.base !== null) add('Base price', prices.base, ' base');
  const paint = exterior && keyOf(exterior.color);
  const code = keyOf(exterior?.code ?? '');
  for (const { name, price } of prices.options) {
    if (paint && isPaint(keyOf(name), paint, code)) add('Exterior paint', price, ' paint');
    else add(name, price);
  }
  // A paint that isn't among the options is in the base price.
  if (paint && !amounts.has(' paint')) add('Exterior paint', null, ' paint');
  for (const list of [prices.discounts, prices.taxes, prices.fees]) {
    for (const { name, price } of list) add(name, price);
  }
  if (prices.destination !== null) add('Destination', prices.destination, ' destination');
  return amounts;
}

/** `diamondblack` as `diamondblack`, `diamondblackexteriorpaint`, `diamondblackpearlcoat`; with a code, `savannagoldsg7paint`. */
function isPaint(name: string, paint: string, code: string): boolean {
  if (!name.startsWith(paint)) return false;
  const rest = name.slice(paint.length);
  const words = code && rest.startsWith(code) ? rest.slice(code.length) : rest;
  return /^(?:exterior|paint|pearl|coat|metallic|clearcoat|tri)*$/.test(words);
}

/** Lines that differ only by optional words or a plural get one key, where that is clear on every label. */
function joinNearEqual<T extends { name: string }>(labels: readonly Named<T>[]): Named<T>[] {
  const loose = labels.map((lines) => {
    const counts = new Map<string, number>();
    for (const [key, { name }] of lines) {
      if (key.startsWith(' ')) continue;
      const other = looseKeyOf(name);
      counts.set(other, (counts.get(other) ?? 0) + 1);
    }
    return counts;
  });
  const clear = (key: string) => loose.every((counts) => (counts.get(key) ?? 0) <= 1);
  return labels.map(
    (lines) =>
      new Map(
        [...lines].map(([key, line]) => {
          const other = looseKeyOf(line.name);
          return [key.startsWith(' ') || !clear(other) ? key : `~${other}`, line];
        }),
      ),
  );
}

/** Every priced line of the labels: differences first, the largest first; then what is the same. */
export function compareLines(labels: readonly Label[]): ComparedLine[] {
  const amounts = joinNearEqual(labels.map(amountsOf));
  const keys = [...new Set(amounts.flatMap((ofLabel) => [...ofLabel.keys()]))];
  const lines = keys.map((key): ComparedLine => {
    const found = amounts.map((ofLabel) => ofLabel.get(key));
    const prices = found.map((amount) => amount?.price ?? 'none');
    return {
      name: found.find(Boolean)!.name,
      prices,
      difference: differenceOf(prices),
      same: prices.every((price) => price === prices[0]) || prices.every(isFree),
    };
  });
  // No car has a priced paint, so there is nothing to compare.
  const paint = lines.findIndex(
    ({ name, prices }) => name === 'Exterior paint' && prices.every((price) => typeof price !== 'number'),
  );
  if (paint >= 0) lines.splice(paint, 1);
  const different = lines.filter((line) => !line.same);
  different.sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || (a.name < b.name ? -1 : 1));
  return [...different, ...lines.filter((line) => line.same)];
}

/** Printed without a price, or with a price of zero. */
const isFree = (price: ComparedLine['prices'][number]): boolean => price === 0 || price === 'included';

/** Whether a line has no price, and not every label lists it. */
export function isUnpricedAbsence({ prices }: ComparedLine): boolean {
  return prices.includes('none') && prices.every((price) => price === 'none' || isFree(price));
}

export function differenceOf(prices: readonly (number | 'none' | 'included')[]): number {
  const numbers = prices.map((price) => (typeof price === 'number' ? price : 0));
  return numbers.length === 2 ? numbers[0]! - numbers[1]! : Math.max(...numbers) - Math.min(...numbers);
}

/** Standard items of each label that not all of them have. */
export function compareEquipment(labels: readonly Label[]): Equipment[] {
  const items = joinNearEqual(
    labels.map(
      ({ standard }) =>
        new Map(standard.flatMap((section) => section.items.map((name) => [keyOf(name), { name }]))),
    ),
  );
  // A label that lists no equipment doesn't say that the car has none.
  if (items.some(({ size }) => size === 0)) return labels.map(() => ({ only: [] }));
  return items.map((own) => ({
    only: [...own].filter(([key]) => !items.every((other) => other.has(key))).map(([, { name }]) => name),
  }));
}

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** The shortest names that distinguish the cars: trim, model, make, year, paint, or their order. */
export function namesApart(cars: readonly ComparedName[]): string[] {
  const isOneModel = areOneModel(cars);
  const ways: ((car: ComparedName) => string | null | undefined)[] = [
    ({ trim }) => (isOneModel ? trim : null),
    spokenModel,
    shortName,
    (car) => car.make && `${car.make} ${shortName(car)}`,
    (car) => car.year && `${car.year} ${shortName(car) ?? ''}`.trim(),
    (car) => car.paint && `${shortPaint(car.paint)} ${designation(car)}`,
    (car) => car.paint && `${optionName(car.paint)} ${designation(car)}`,
  ];
  for (const way of ways) {
    const names = cars.map(way);
    // vPIC lists several in one name.
    const areShort = names.every((name) => name && name.length <= 40 && !/,|\w\w\/\w/.test(name));
    if (areShort && new Set(names).size === names.length) return names as string[];
  }
  return cars.map((car, at) => `${ORDINALS[at]} ${isOneModel ? designation(car) : 'car'}`);
}

function areOneModel(cars: readonly NameParts[]): boolean {
  return cars.every(({ model }) => model && model === cars[0]!.model);
}

/** The model, with its make if it is a number: a `Ram 1500`. */
function spokenModel({ make, model }: NameParts): string | null {
  return model && make && /^\d+$/.test(model) ? `${make} ${model}` : model;
}

/** What a car is called beside its paint: the model, or a trim that is a name of its own, such as `ZR1`. */
function designation(car: NameParts): string {
  const [first = ''] = car.trim?.split(' ') ?? [];
  return /^[A-Z]{1,4}\d{1,3}[A-Z]?$/.test(first) ? first : (spokenModel(car) ?? 'car');
}

const FINISH =
  /^(?:metallic|met|m[eé]tallis[eé]|pearl|clear|tint\w*|tri-?co\w*|(?:clear|pearl)-?coat|exterior|paint|custom)$/i;

/** A paint without the words for its finish: `Bright White` for `Bright White Clear–Coat Exterior Paint`. */
function shortPaint(printed: string): string {
  const words = optionName(printed).split(' ');
  const end = words.findIndex((word, at) => at > 0 && FINISH.test(word));
  return words.slice(0, end < 0 ? words.length : end).join(' ');
}

/** Without a base price and a total, as on labels of heavy trucks, missing lines would be compared as $0. */
export function hasPrices({ prices }: Label): boolean {
  return prices.base !== null && prices.total !== null;
}

/** Prices in US and in Canadian dollars can't be compared. */
export function inOneCurrency(labels: readonly Label[]): boolean {
  return new Set(labels.map(({ prices }) => prices.currency)).size <= 1;
}

/** The result as a heading: `The Rubicon cost $3,455 more than the Mojave`. */
export function headline(names: readonly string[], totals: readonly (number | null)[]): string {
  if (!totals.every((total): total is number => total !== null))
    return `${capitalize(joinWithAnd(names.map((name) => `the ${name}`)))}, side by side`;
  const [one, other] = comparedPair(totals);
  const difference = totals[one]! - totals[other]!;
  if (difference === 0) return `${allOf(totals.length)} cost ${money(totals[one]!)} new`;
  const words = `${money(Math.abs(difference))} ${difference > 0 ? 'more' : 'less'} than the ${names[other]}`;
  return totals.length === 2
    ? `The ${names[one]} cost ${words}`
    : `The ${names[one]} cost the most, ${words}`;
}

function allOf(count: number): string {
  return count === 2 ? 'Both' : `All ${inWords(count)}`;
}

/**
 * The cars that amounts are subtracted for, everywhere in a comparison: the first minus the second; of three or more, the
 * most expensive minus the least expensive.
 */
function comparedPair(totals: readonly number[]): [one: number, other: number] {
  const highest = totals.indexOf(Math.max(...totals));
  const lowest = totals.indexOf(Math.min(...totals));
  return totals.length === 2 || highest === lowest ? [0, 1] : [highest, lowest];
}

const MAX_SHOWN = 3;

/** The lines that make up the price difference of the compared pair. */
export function leadWords(
  readings: readonly Reading[],
  lines: readonly ComparedLine[],
  names: readonly string[],
): string {
  const doubt = readings.every(({ proof }) => proof?.closes)
    ? ''
    : ' Not every sticker could be read to the cent, so trust the stickers over this table.';
  const [one, other] = comparedPair(readings.map(({ label }) => label?.prices.total ?? 0));
  const amount = (price: ComparedLine['prices'][number] | undefined) =>
    typeof price === 'number' ? price : 0;
  const gaps = lines
    .map(({ name, prices }) => ({ name, gap: amount(prices[one]) - amount(prices[other]) }))
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
  return `The ${names[one]} compared with the ${names[other]}: ${joinWithAnd(parts)}.${doubt}`;
}

/** As people write it; our own names in lower case. */
function plainName(name: string): string {
  return optionName(name).replace(/^(Base price|Exterior paint|Destination)$/, (own) => own.toLowerCase());
}
