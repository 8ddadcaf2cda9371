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
