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

/** What a car uses, by the word beside the figure. */
export const USED = { gallons: /^gallons$/i, electricity: /^kW-?h(?:r|rs|ours)?$/i };

/**
 * Electric range in the label's own miles or kilometers: the large figure at the end of the range's bar, in words, or on
 * labels with only one range as the one phrase `314 miles`.
 */
export function rangeOf(
  phrases: Phrase[],
  words: Word[],
  numbers: Word[],
  hasOneRange: boolean,
): number | null {
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

export function chargeHoursOf(phrases: Phrase[]): number | null {
  for (const phrase of phrases.filter(({ text }) => CHARGE_TIME.test(text)).slice(0, MAX_MATCHES)) {
    const row = rowText(phrases, phrase).replace(CHARGE_TIME, '');
    const found =
      /^[^\d(]*(?:\(\s*240\s?V\s*\)\s*(?::\s*)?)?(\d{1,2}(?:[.,]\d)?)\s*(?:hours|heures|hrs?|h)\b/i.exec(row);
    if (found) return Number(found[1]!.replace(',', '.'));
  }
  return null;
}
