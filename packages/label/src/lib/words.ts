/** Words, names and figures as people write them. Browsers load this file too, for the names of cars. */

const NUMBER_WORDS =
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** `two`, `twenty`, `21`. */
export function inWords(count: number): string {
  return NUMBER_WORDS[count] ?? String(count);
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `a Ford`, `an Audi`, `an SUV`. */
export function withArticle(noun: string): string {
  return `${/^(?:[aeio]|(?:FCA|MG|SUV)\b)/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** `Ford`, `Ford and Lincoln`, `Ford, Lincoln and Kia`. */
export function joinWithAnd(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Well-known makes that aren't written with one capital per word. */
const SPECIAL_SPELLINGS = new Map(
  'AM General,BMW,BrightDrop,BYD,CFMOTO,DeLorean,FCA,GMC,IC Bus,INEOS,KTM,McLaren,MG,MINI,VinFast,smart'
    .split(',')
    .map((name) => [name.toUpperCase(), name]),
);

/** A make in vPIC's capitals as people write it: `Alfa Romeo`, `GMC`, `Mercedes-Benz`. */
export function titleCase(make: string): string {
  const special = SPECIAL_SPELLINGS.get(make);
  if (special) return special;
  return make
    .toLowerCase()
    .replace(/(^|[\s-])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}

/** vPIC's `DETROIT, MICHIGAN, UNITED STATES (USA)` as `Detroit, Michigan`; the country only outside the United States. */
export function plantName(plant: string): string {
  const parts = plant.split(', ').filter((part) => part !== 'UNITED STATES (USA)');
  const names = (parts.length ? parts : ['UNITED STATES']).map((part) =>
    titleCase(part.replace(/(?<!\s)\s*\([^()]*\)$/, '')),
  );
  // A city and its state can share a name.
  return [...new Set(names)].join(', ');
}

/** vPIC's electrification levels in a word. */
const HYBRIDS: [RegExp, string][] = [
  [/^Mild HEV/, 'mild hybrid'],
  [/^PHEV/, 'plug-in hybrid'],
  [/HEV/, 'hybrid'],
];

/** `plug-in hybrid`; undefined for other cars. */
export function hybridWord(electrification: string | null): string | undefined {
  return HYBRIDS.find(([level]) => level.test(electrification ?? ''))?.[1];
}

/** `1 second`, `45 seconds`, `2 minutes`, `3 hours`. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

/** `November 12, 2026`, in UTC. */
export function humanDay(ms: number): string {
  return formatter('day').format(ms);
}

/** `November 15, 2026, 09:10 UTC`. */
export function dayAndTime(iso: string): string {
  return `${humanDay(Date.parse(iso))}, ${iso.slice(11, 16)} UTC`;
}

/** `2026-10` as `October 2026`. */
export function monthInWords(month: string): string {
  return formatter('month').format(Date.parse(`${month}-01T00:00:00Z`));
}

/** `TOYOTA MOTOR CORPORATION` as people write it. Short words are abbreviations, with a few exceptions. */
export function companyName(manufacturer: string): string {
  return manufacturer
    .split(' ')
    .map((word) => {
      if (/^(?:OF|AND|DE)$/.test(word)) return word.toLowerCase();
      const letters = word.replace(/[^A-Z]/g, '');
      return letters.length > 3 || /^(?:LTD|INC|CO|KIA|THE)$/.test(letters) ? titleCase(word) : word;
    })
    .join(' ');
}

/** For pages. The API's texts have straight ones, so that they are plain ASCII. */
export function withCurlyApostrophes(text: string): string {
  return text.replace(/(?<=\p{L})'/gu, '’');
}

/** Integer cents: `$64,725`, `$64,725.50`, `−$445`; Canadian amounts look the same, because their heading names the currency. */
export function money(amount: number): string {
  const isWholeDollars = amount % 100 === 0;
  return `${amount < 0 ? '−' : ''}$${formatter(isWholeDollars ? 'dollars' : 'cents').format(Math.abs(amount) / 100)}`;
}

/** `+$385`, `−$1,095`. */
export function signedMoney(amount: number): string {
  return amount > 0 ? `+${money(amount)}` : money(amount);
}

export function fileSize(bytes: number): string {
  if (bytes >= 1_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${Math.max(1, Math.round(bytes / 1000))} KB`;
}

export function seconds(ms: number): string {
  return ms < 100 ? 'under 0.1 s' : `${(ms / 1000).toFixed(1)} s`;
}

export function percent(share: number): string {
  const percentage = Math.floor(share * 1000) / 10;
  return `${percentage === 100 || percentage === 0 ? percentage : percentage.toFixed(1)}%`;
}

export function thousands(count: number): string {
  return count.toLocaleString('en-US');
}

const FORMATTERS = {
  day: () =>
    new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
  month: () => new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  dollars: () => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }),
  cents: () => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 }),
};
const created = new Map<string, { format(value: number): string }>();

/** Created once, and only when needed: creating one takes longer than rendering a page may, or than many commands run. */
function formatter(name: keyof typeof FORMATTERS): { format(value: number): string } {
  let found = created.get(name);
  if (!found) created.set(name, (found = FORMATTERS[name]()));
  return found;
}

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
