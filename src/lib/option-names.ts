/** Names of options and equipment, as printed on a label and as people write them. */

/** Abbreviations that stay in capitals. */
const CAPITALS = new Set(
  'ABS AC ACC AEB AM AMG AT4 AUX AWD BMW CD CVT DI DOHC DVD ECVT EPA EPS EV FM FWD GDI GM GMC GPS GT GVWR HD HEMI HEV HID HUD II III IV IVT LED LT LTZ MP3 MPI MSRP MT NCAP OHV PHEV RS RWD SD SE SEL SLE SLT SOHC SUV SXM SXT SYNC TDI TFT TPMS TRD UHF US USA USB UV VIN WI XL XLT XM'.split(
    ' ',
  ),
);
/** Brand names that aren't written with one capital. */
const BRANDS = new Map(
  'BlueCruise CarPlay CoPilot360 EcoBoost EcoDiesel FordPass MyKey OnStar Pilot360 PowerBoost SiriusXM SuperCab SuperCrew'
    .split(' ')
    .map((name) => [name.toUpperCase(), name]),
);
const LOWER_CASE = new Set('a an and at by for from in of on or the to with w w/'.split(' '));

/**
 * A printed name as people write it: `TRAILER TOW PACKAGE:` is "Trailer Tow Package". Names that aren't all capitals
 * only lose a colon at the end.
 */
export function optionName(printed: string): string {
  // The lookbehind makes it linear: without it, every colon of a run that isn't at the end would be tried.
  const name = printed.replace(/(?<![\s:])[\s:]+$/, '') || printed;
  const letters = name.replace(/[^\p{L}]/gu, '');
  if (letters.length < 4 || letters !== letters.toUpperCase()) return name;
  return name
    .split(/(\s+)/)
    .map((word, index) =>
      index % 2
        ? word
        : word
            .split(/([-/–,])/)
            .map((part, i, parts) =>
              cased(part, index === 0 && i === 0, parts.length === 1, parts[i + 1] === '-'),
            )
            .join(''),
    )
    .join('');
}

function cased(word: string, first: boolean, whole: boolean, hyphenated: boolean): string {
  const bare = word.replace(/[^\p{L}\d]/gu, '');
  const lower = word.toLowerCase();
  // `A/S` (all-season) doesn't start with an article, and `W-RATED` not with "with".
  if ((!whole && bare === 'A') || (hyphenated && bare === 'W')) return word;
  if (/^\d+(?:ST|ND|RD|TH)$/.test(bare)) return lower;
  // Initials: B&O, AK&HI.
  if (/^\p{L}{1,2}&\p{L}{1,2}$/u.test(word)) return word;
  if (LOWER_CASE.has(lower) || LOWER_CASE.has(bare.toLowerCase()))
    return first ? capitalizeLetter(lower) : lower;
  const brand = BRANDS.get(bare);
  if (brand) return word.replace(bare, brand);
  // Engine and trim codes: V8, 3.6L, 10R80, XLT. A word without a vowel is one too.
  if (CAPITALS.has(bare) || /\d/.test(bare) || (bare.length <= 4 && !/[AEIOUYÀ-Þ]/.test(bare))) return word;
  return capitalizeLetter(lower);
}

/** Capitalizes the first letter, which may follow a bracket or a quote. */
function capitalizeLetter(word: string): string {
  return word.replace(/\p{L}/u, (letter) => letter.toUpperCase());
}

/** A printed place as people write it: `BOWLING GREEN, KY U.S.A.` is "Bowling Green, KY U.S.A." */
export function placeName(printed: string): string {
  return optionName(printed).replace(/, [a-z]{2}(?!\p{L})/giu, (state) => state.toUpperCase());
}
