import {
  isLeftOf,
  MAX_MATCHES,
  MIN_SIZE_RATIO,
  overlaps,
  rowText,
  valueOf,
  type Phrase,
  type Word,
} from './phrases.ts';
import { combinedOf } from './money.ts';
import type { FuelEconomy } from './types.ts';

const COMBINED = /^combin(?:ed|[ée]e?)(?:\/combin.*)?$/i;
const CITY = /^(?:city|ville)(?:\/(?:city|ville))?$/i;
const HIGHWAY = /^(?:highway|hwy|route|autoroute)(?:\/(?:highway|route|autoroute))?$/i;
const PLUG_IN = /^(?:Electricity \+ Gasoline|Gasoline Only|Plug-In Hybrid)/i;
/** These count in MPGe as well, but have neither a battery's range nor a charge time. */
const OTHER_FUEL = /\bFuel.Cell\b|\bHydrogen\b|\bNatural Gas\b/i;
const NUMBER = /^\d{1,3}(?:[.,]\d)?$/;
const DOLLARS = /^\$ ?\d{1,3}(?:[ ,]\d{3})*$|^\d{1,3}(?:[ ,]\d{3})* ?\$$/;

/** An empty fuel economy box. */
export const NO_FIGURES: FuelEconomy = {
  city: null,
  highway: null,
  combined: null,
  unit: 'MPG',
  per100: null,
  annualFuelCost: null,
  fiveYearCost: null,
  greenhouseRating: null,
  smogRating: null,
  co2: null,
  electric: null,
};

interface FoundFuel {
  fuel: FuelEconomy;
  words: Word[];
}

/** The fuel economy box, worded alike by every make: each figure is above or beside the words that name it. */
export function fuelEconomyOf(phrases: Phrase[]): FoundFuel | null {
  const words = phrases.flatMap((phrase) => phrase.words);
  const numbers = words.filter((word) => NUMBER.test(word.text));
  const over = (anchor: RegExp): Figure[] => figuresOver(words, numbers, anchor);
  const combined = over(COMBINED).map((figure) => ({ ...figure, unit: unitOf(words, figure.word) }));
  const electric = combined.find(({ unit }) => unit?.endsWith('e') || unit?.startsWith('Le'));
  const fueled = combined.find(({ unit }) => unit === 'MPG' || unit === 'L/100 km');
  const main = fueled ?? electric;
  // Without its gasoline figure, a plug-in hybrid would look like an electric car.
  if (!main?.unit || (!fueled && phrases.some(({ text }) => PLUG_IN.test(text)))) return null;
  const [city] = over(CITY);
  const [highway] = over(HIGHWAY);
  const canadian = main.unit.includes('km');
  const fuel: FuelEconomy = {
    // A plug-in hybrid prints combined figures only.
    city: fueled && electric ? null : (city?.value ?? null),
    highway: fueled && electric ? null : (highway?.value ?? null),
    combined: main.value,
    unit: main.unit,
    per100: canadian ? null : usedOver(words, numbers, fueled ? 'gallons' : 'electricity', main.value),
    annualFuelCost: annualCostOf(phrases),
    fiveYearCost: fiveYearCostOf(phrases),
    greenhouseRating: null,
    smogRating: null,
    co2: co2Of(phrases),
    electric:
      electric && !usesOtherFuel(phrases, words)
        ? {
            combined: electric.value,
            per100: canadian ? null : usedOver(words, numbers, 'electricity', electric.value),
            range: rangeOf(phrases, words, numbers, !fueled),
            chargeHours: chargeHoursOf(phrases),
          }
        : null,
  };
  const isPlugIn = fueled !== undefined && electric !== undefined;
  // Nothing else on a plug-in hybrid's label confirms its combined figure.
  if (isPlugIn && !canadian && fuel.per100 === null) fuel.combined = null;
  if (!costsAgree(fuel, phrases)) fuel.annualFuelCost = fuel.fiveYearCost = null;
  const agreed = consistentFigures(fuel);
  return (
    agreed && { fuel: agreed, words: [main, city, highway].flatMap((found) => (found ? [found.word] : [])) }
  );
}

function usesOtherFuel(phrases: Phrase[], words: Word[]): boolean {
  return (
    phrases.some(({ text }) => OTHER_FUEL.test(text)) &&
    !words.some(({ text }) => USED.electricity.test(text))
  );
}

interface Figure {
  value: number;
  word: Word;
}

/** For each occurrence of a word, the nearest larger number above it. */
function figuresOver(words: Word[], numbers: Word[], anchor: RegExp): Figure[] {
  return words
    .filter((word) => anchor.test(word.text))
    .slice(0, MAX_MATCHES)
    .flatMap((below) => {
      const [word] = numbers
        .filter((above) => above.size > below.size * MIN_SIZE_RATIO && overlaps(above, below, below.size / 2))
        .filter((above) => {
          const step = below.y - above.y;
          return step > 0 && step < Math.max(above.size * 0.75, below.size * 2.6);
        })
        .toSorted((one, other) => other.y - one.y);
      return word ? [{ value: valueOf(word), word }] : [];
    });
}

const UNITS: [RegExp, string][] = [
  [/^MPGe$/i, 'MPGe'],
  [/^MPG$/i, 'MPG'],
  [/^Le\/100(?:km)?$/i, 'Le/100 km'],
  [/^L\/100(?:km)?$/i, 'L/100 km'],
];

/** The unit in large type beside the number. In small type it is about other vehicles. */
function unitOf(words: Word[], number: Word): string | null {
  let nearest: { word: Word; unit: string; distance: number } | null = null;
  for (const word of words) {
    if (word.size < number.size * 0.18 || word.x <= number.x) continue;
    const distance = Math.hypot(word.x - number.right, word.y - number.y);
    if (distance >= Math.min(number.size * 2, nearest?.distance ?? Infinity)) continue;
    const unit = UNITS.find(([pattern]) => pattern.test(word.text))?.[1];
    if (unit) nearest = { word, unit, distance };
  }
  if (!nearest) return null;
  const { word, unit } = nearest;
  // The small `e` of an equivalent may be a run of its own, set a little lower.
  const equivalent = words.some(
    ({ text, x, y, size }) =>
      text === 'e' &&
      size < word.size &&
      Math.abs(y - word.y) < word.size * 0.4 &&
      x >= word.x &&
      x < word.right + size,
  );
  if (!equivalent) return unit;
  return unit === 'MPG' ? 'MPGe' : unit === 'L/100 km' ? 'Le/100 km' : unit;
}

/** Gallons or kilowatt-hours per 100 miles: only a figure that agrees with the miles per gallon counts. */
function usedOver(words: Word[], numbers: Word[], what: keyof typeof USED, combined: number): number | null {
  const perHundredMiles = what === 'gallons' ? 100 : 3370.5;
  const tolerance = what === 'gallons' ? 0.06 : 0.6;
  for (const anchor of words.filter(({ text }) => USED[what].test(text)).slice(0, MAX_MATCHES)) {
    const beside = numbers.filter(
      (number) =>
        number.size > anchor.size * MIN_SIZE_RATIO && (isLeftOf(number, anchor) || isOver(number, anchor)),
    );
    for (const number of beside) {
      const value = valueOf(number);
      const least = perHundredMiles / (combined + 0.5) - tolerance;
      const most = perHundredMiles / (combined - 0.5) + tolerance;
      if (value >= least && value <= most) return value;
    }
  }
  return null;
}

function isOver(number: Word, anchor: Word): boolean {
  const step = anchor.y - number.y;
  return step > 0 && step < number.size * 0.9 && overlaps(number, anchor, anchor.size);
}

function annualCostOf(phrases: Phrase[]): number | null {
  const anchors = phrases.filter(({ text }) => /^Annual fuel\b|annuel en carburant$/i.test(text));
  for (const anchor of anchors.slice(0, MAX_MATCHES)) {
    // `cost` is set larger than the two words before it.
    const right = anchor.right + anchor.size * 6;
    const amount = nearestDollars(phrases, { ...anchor, right }, /^Annual/i.test(anchor.text) ? 1 : -1);
    if (amount !== null) return amount;
  }
  return null;
}

/** A saving over five years is a negative cost. */
function fiveYearCostOf(phrases: Phrase[]): number | null {
  const anchors = phrases.flatMap((phrase) =>
    phrase.words.filter(({ text }) => /^(?:save|spend)$/i.test(text)).map((word) => ({ word, phrase })),
  );
  for (const { word, phrase } of anchors.slice(0, MAX_MATCHES)) {
    const you = phrases.some(
      ({ text, x, y }) => /^You\b/i.test(text) && Math.abs(y - word.y) < word.size * 0.6 && x < word.x,
    );
    if (!you && !/^You\b/i.test(phrase.text)) continue;
    const amount = nearestDollars(phrases, { ...word, x: Math.min(word.x, phrase.x) }, 1);
    if (amount !== null) return /^save$/i.test(word.text) ? -amount : amount;
  }
  return null;
}

const AVERAGE = /\bcosts? \$ ?(\d[\d,]*) to fuel over 5 years/i;
/** Cents by which rounded costs may differ. On 92 of 92 real labels they agreed to the cent. */
const MAX_DIFFERENCE_CENTS = 25_000;

/** Five years of fuel, less what the average vehicle's costs: the small print names it. */
function costsAgree({ annualFuelCost, fiveYearCost }: FuelEconomy, phrases: Phrase[]): boolean {
  if (annualFuelCost === null || fiveYearCost === null) return true;
  for (const { text } of phrases) {
    const average = Number(AVERAGE.exec(text)?.[1]?.replaceAll(',', '') ?? 0) * 100;
    if (average > 0) return Math.abs(5 * annualFuelCost - average - fiveYearCost) <= MAX_DIFFERENCE_CENTS;
  }
  return true;
}

/** The nearest amount in large type below (1) or above (-1) a word. */
function nearestDollars(phrases: Phrase[], word: Word, way: 1 | -1): number | null {
  const [found] = phrases
    .filter((phrase) => DOLLARS.test(phrase.text) && phrase.size > word.size * 1.15)
    .filter((phrase) => {
      const step = (phrase.y - word.y) * way;
      return step > 0 && step < phrase.size * 2 && overlaps(phrase, word, phrase.size / 2);
    })
    .toSorted((one, other) => Math.abs(one.y - word.y) - Math.abs(other.y - word.y));
  return found ? Number(found.text.replaceAll(/\D/g, '')) * 100 : null;
}

const EMITS = /^This vehicle emits/i;
const GRAMS = /^\d{1,3} g\b/;

function co2Of(phrases: Phrase[]): number | null {
  const emissions = phrases.filter(({ text }) => EMITS.test(text) || GRAMS.test(text));
  for (const phrase of emissions.slice(0, MAX_MATCHES)) {
    const row = rowText(phrases, phrase);
    const found =
      /^This vehicle emits\s*(\d{1,4})\s*grams? CO/i.exec(row) ??
      /^(\d{1,3}) g(?: de)? CO ?2? ?\/ ?km/i.exec(row);
    if (found) return Number(found[1]);
  }
  return null;
}

/** Figures that don't agree were misread: the ones that nothing else supports are dropped. */
export function consistentFigures(fuel: FuelEconomy): FuelEconomy | null {
  const { city, highway, combined, unit, per100 } = fuel;
  if (city === null || highway === null || combined === null) {
    return { ...fuel, city: null, highway: null };
  }
  const metric = unit.includes('/100');
  if (Math.abs(combinedOf(city, highway, metric) - combined) < (metric ? 0.16 : 1.5)) return fuel;
  return per100 === null ? null : { ...fuel, city: null, highway: null };
}

/** What a car uses, by the word beside the figure. */
const USED = { gallons: /^gallons$/i, electricity: /^kW-?h(?:r|rs|ours)?$/i };

/**
 * Electric range in the label's own miles or kilometers: the large figure at the end of the range's bar, in words, or on
 * labels with only one range as the one phrase `314 miles`.
 */
function rangeOf(phrases: Phrase[], words: Word[], numbers: Word[], hasOneRange: boolean): number | null {
  const used = words
    .filter(({ text }) => USED.gallons.test(text) || USED.electricity.test(text))
    .slice(0, MAX_MATCHES);
  const large = words
    .filter(({ text }) => /^(?:miles|km)$/i.test(text))
    .slice(0, MAX_MATCHES * 2)
    .flatMap((unit) =>
      numbers.filter((number) => {
        const gap = unit.x - number.right;
        return (
          number.size > unit.size * MIN_SIZE_RATIO &&
          Math.abs(number.y - unit.y) < number.size * 0.35 &&
          gap > -unit.size &&
          gap < number.size &&
          !used.some((anchor) => isLeftOf(number, anchor))
        );
      }),
    )
    .map(valueOf);
  const written = phrases
    .filter(({ text }) => /^(?:All.?)?Electric range/i.test(text))
    .slice(0, MAX_MATCHES)
    .map((phrase) => /range\D{0,12}(?:0\s*to\s*)?(\d{1,3})\s*(?:miles|km)/i.exec(rowText(phrases, phrase)))
    .flatMap((found) => (found ? [Number(found[1])] : []));
  const alone = hasOneRange ? distancesIn(phrases) : [];
  const found = new Set([...large, ...written, ...alone]);
  return found.size === 1 ? [...found][0]! : null;
}

const DISTANCE = /^(\d{2,3}) (?:miles|km)$/i;

/** The miles of phrases that are nothing else, but not the `100 miles` under `kW-hrs per`. */
function distancesIn(phrases: Phrase[]): number[] {
  const isDenominator = (phrase: Phrase): boolean =>
    phrases.some(
      ({ text, x, right, y, size }) =>
        /\bper$/i.test(text) &&
        overlaps({ x, right }, phrase, 6 * size) &&
        phrase.y - y > 0 &&
        phrase.y - y < 2 * size,
    );
  return phrases
    .filter(({ text }) => DISTANCE.test(text))
    .slice(0, MAX_MATCHES * 2)
    .filter((phrase) => !isDenominator(phrase))
    .map(({ text }) => Number(DISTANCE.exec(text)![1]));
}

const CHARGE_TIME = /^(?:(?:Charge|Recharge) time|(?:Temps|Dur[ée]e) de (?:re)?charge)/i;

function chargeHoursOf(phrases: Phrase[]): number | null {
  for (const phrase of phrases.filter(({ text }) => CHARGE_TIME.test(text)).slice(0, MAX_MATCHES)) {
    const row = rowText(phrases, phrase).replace(CHARGE_TIME, '');
    const found =
      /^[^\d(]*(?:\(\s*240\s?V\s*\)\s*(?::\s*)?)?(\d{1,2}(?:[.,]\d)?)\s*(?:hours|heures|hrs?|h)\b/i.exec(row);
    if (found) return Number(found[1]!.replace(',', '.'));
  }
  return null;
}
