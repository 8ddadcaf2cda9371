/** Country names as labels print them: in English or French, in full, as `U.S.A.`, or as a code such as `MX`. */

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Names that labels use and the standard does not. */
const ALSO = [
  'USA',
  'US',
  'KOREA',
  'REPUBLIC OF KOREA',
  'ENGLAND',
  'UK',
  'GREAT BRITAIN',
  'CZECH REPUBLIC',
  'SLOVAK REPUBLIC',
  'TURKEY',
  'THE NETHERLANDS',
  'HOLLAND',
  'MACEDONIA',
  'TAIWAN',
  'HONG KONG',
  'UAE',
];

let known: Set<string> | undefined;

function countries(): Set<string> {
  const names = new Set(ALSO.map(plain));
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

/** True for a country, or several with a stroke between them: `JAPAN/UNITED STATES`. */
export function isCountry(printed: string): boolean {
  known ??= countries();
  const names = plain(printed).split(/\s*(?:\/|&|\bAND\b|\bOR\b)\s*/);
  return isNamed(plain(printed)) || names.every(isNamed);
}

/** True for a town and its country: `LANSING, MI U.S.A.` */
export function endsInCountry(place: string): boolean {
  return townIn(place) !== null;
}

/** A place without its country: `LANSING, MI`. Null if it doesn't end in one, or is nothing else. */
export function townIn(place: string): string | null {
  const words = place.trim().split(/\s+/);
  const count = [3, 2, 1].find((last) => words.length > last && isCountry(words.slice(-last).join(' ')));
  return count === undefined ? null : words.slice(0, -count).join(' ').replace(/,$/, '');
}

function isNamed(name: string): boolean {
  return known!.has(name);
}
