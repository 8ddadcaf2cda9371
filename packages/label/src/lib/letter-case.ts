/** Text in capitals as people write it. Browsers load this file too, for the names of cars. */

/** Abbreviations that stay in capitals. */
const CAPITALS = new Set(
  'ABS AC ACC AEB AKG AM AMG AT4 AUX AWD BLIS BMW CD CHMSL CVT DEVCT DI DOHC DVD ELSD EPA EPS ESC ESV EVR EUV EV FM FWD GDI GM GMC GPS GT GVWR HD HEMI HEV HID HUD HVAC ID II III IV IVT LED LT LTE LTZ MP3 MPI MSRP MT NA NACS NCAP OHV OWL PFDI PFI PHEV RHO RS RWD SD SE SEL SHO SIDI SLE SLT SOHC SOS STI SUV SXM SXT SYNC TDI TFT TPMS TRD UHF US USA USB UV VIN WI XL XLE XLT XM XSE'.split(
    ' ',
  ),
);
/** Shortened words, which only look like abbreviations of several. */
const SHORTENED = new Set(
  'BLK CTL CTR DLR DR DRV DWN FLD FLR FLT FRT HTD HTS LTD MNT PKG PKT PTD PWR RR SPD STD SVC WHL'.split(' '),
);
/** Brand names that aren't written with one capital. */
const BRANDS = new Map(
  '4xe 4Runner BlueCruise CarPlay CoPilot360 CrewMax EcoBoost EcoDiesel eAWD FordPass kW kWh lb MyKey OnStar Pilot360 PowerBoost ProMaster SiriusXM SuperCab SuperCrew Ti TorqShift'
    .split(' ')
    .map((name) => [name.toUpperCase(), name]),
);
const LOWER_CASE = new Set('a an and at by for from in of on or the to with without w w/'.split(' '));
/** Words of two letters in names of cars that aren't abbreviations. */
const SHORT_WORDS = new Set('FE GO NO UP'.split(' '));

/** Whether all letters are capitals, and there are enough of them to tell. */
export function isInCapitals(text: string): boolean {
  const letters = text.replace(/[^\p{L}]/gu, '');
  return letters.length >= 4 && letters === letters.toUpperCase();
}

/** With a hyphen where a label prints a dash inside a word: `8–Speed`. */
export function withHyphens(text: string): string {
  return text.replace(/(?<=\p{L})–(?=[\p{L}\d])|(?<=\d)–(?=\p{L})/gu, '-');
}

/** Text in capitals in normal case. In the name of a car, words of two letters are abbreviations: `EX`, `SE`. */
export function inNormalCase(text: string, ofCar = false): string {
  return text
    .split(/(\s+)/)
    .map((word, index, words) => {
      if (index % 2) return word;
      // One of a row: `USB A AND C`, `STYLE A`.
      if (word === 'A' && /^(?:&|AND|OR)?$|^\(/.test(words[index + 2] ?? '')) return word;
      if (/\.(?:com|ca|org)(?!\p{L})/iu.test(word)) return word.toLowerCase();
      // Also before a number: `PORT(2)`, `PKG.608A`.
      const parts = word.split(/([-/–,®™]|(?<=\p{L})[(.:](?=\d))/u);
      const isShort = (part: string) =>
        ofCar &&
        /^\p{L}{2}$/u.test(part) &&
        !BRANDS.has(part) &&
        !SHORT_WORDS.has(part) &&
        !isLowerCase(part);
      return parts
        .map((part, i) => (isShort(part) ? part : cased(part, index === 0 && i === 0, parts, i)))
        .join('');
    })
    .join('');
}

/** One part of a word between hyphens, slashes and commas. */
function cased(word: string, first: boolean, parts: readonly string[], at: number): string {
  const bare = word.replace(/[^\p{L}\d]/gu, '');
  const lower = word.toLowerCase();
  const [before, after] = [parts[at - 1], parts[at + 1]];
  // `W/O` is "without".
  if (bare === 'O' && before === '/' && parts[at - 2]!.endsWith('W')) return lower;
  // `A/S` (all-season) doesn't start with an article, and `W-RATED` not with "with".
  if ((parts.length > 1 && bare === 'A') || (after === '-' && bare === 'W')) return word;
  if (bare === 'WI' && after === '-' && parts[at + 2]!.startsWith('FI')) return capitalizeLetter(lower);
  if (/^\d+(?:ST|ND|RD|TH)$/.test(bare)) return lower;
  // Initials: B&O, AK&HI, G.O.A.T.
  if (/^\p{L}{1,2}&\p{L}{1,2}$|^(?:\p{L}\.){2}/u.test(word)) return word;
  if (isLowerCase(word)) {
    // One of a pair such as `ON/OFF`, but not of `AND/OR`.
    const isOfPair = bare !== 'W' && (before === '/' || after === '/');
    const other = before === '/' ? parts[at - 2] : parts[at + 2];
    const isStart = first || (at === 0 && after === '-');
    return isStart || (isOfPair && !isLowerCase(other ?? '')) ? capitalizeLetter(lower) : lower;
  }
  const brand = BRANDS.get(bare);
  if (brand) return word.replace(bare, brand);
  // Engine and trim codes: V8, 3.6L, 10R80, XLT. A short word without a vowel is one too.
  if (CAPITALS.has(bare) || /\d/.test(bare)) return word;
  if (bare.length <= 3 && !/[AEIOUYÀ-Þ]/.test(bare) && !SHORTENED.has(bare)) return word;
  return capitalizeLetter(lower);
}

function isLowerCase(word: string): boolean {
  return LOWER_CASE.has(word.toLowerCase()) || LOWER_CASE.has(word.replace(/[^\p{L}\d]/gu, '').toLowerCase());
}

/** Capitalizes the first letter, which may follow a bracket or a quote. */
function capitalizeLetter(word: string): string {
  return word.replace(/\p{L}/u, (letter) => letter.toUpperCase());
}
