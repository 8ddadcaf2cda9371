/** Country names as labels print them: in English or French, in full, as `U.S.A.`, or as a code such as `MX`. */

/** Those that labels name most, some in words of their own. */
const COMMON = new Set([
  'UNITED STATES',
  'UNITED STATES OF AMERICA',
  'USA',
  'US',
  'CANADA',
  'MEXICO',
  'MX',
  'JAPAN',
  'KOREA',
  'SOUTH KOREA',
  'REPUBLIC OF KOREA',
  'CHINA',
  'TAIWAN',
  'THAILAND',
  'INDIA',
  'GERMANY',
  'ITALY',
  'FRANCE',
  'SPAIN',
  'POLAND',
  'HUNGARY',
  'AUSTRIA',
  'UNITED KINGDOM',
  'UK',
  'ENGLAND',
  'GREAT BRITAIN',
  'CZECH REPUBLIC',
  'SLOVAK REPUBLIC',
  'TURKEY',
  'HOLLAND',
  'BRAZIL',
]);

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
let others: Set<string> | undefined;

/** All countries and their codes. It takes tens of milliseconds, and few labels need it. */
function allCountries(): Set<string> {
  const names = new Set<string>();
  for (const language of ['en', 'fr']) {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const first of LETTERS)
      for (const second of LETTERS) {
        const name = display.of(first + second);
        if (name) names.add(plain(name)).add(first + second);
      }
  }
  return names;
}

/** Capitals without accents and punctuation. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[\p{M}.,'’()]/gu, '')
    .replaceAll(/[\s-]+/g, ' ')
    .trim()
    .toUpperCase();
}

const isCommon = (name: string): boolean => COMMON.has(name);
const isKnown = (name: string): boolean => (others ??= allCountries()).has(name) || isCommon(name);

/** True for a country, or several with a slash between them: `JAPAN/UNITED STATES`. */
export function isCountry(printed: string): boolean {
  return isNamed(printed, isCommon) || isNamed(printed, isKnown);
}

function isNamed(printed: string, isOne: (name: string) => boolean): boolean {
  const name = plain(printed);
  return isOne(name) || name.split(/ ?(?:\/|&|\bAND\b|\bOR\b) ?/).every(isOne);
}

/** True for a town and its country: `LANSING, MI U.S.A.` */
export function endsInCountry(place: string): boolean {
  return townIn(place) !== null;
}

/** A place without its country: `LANSING, MI`. Null if it doesn't end in one, or is nothing else. */
export function townIn(place: string): string | null {
  const words = place.trim().split(/\s+/);
  const lengthIf = (isOne: (name: string) => boolean): number | undefined =>
    [3, 2, 1].find((count) => words.length > count && isOne(plain(words.slice(-count).join(' '))));
  const count = lengthIf(isCommon) ?? lengthIf(isKnown);
  return count === undefined ? null : words.slice(0, -count).join(' ').replace(/,$/, '');
}
