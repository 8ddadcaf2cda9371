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

/** `1 second`, `45 seconds`, `2 minutes`, `3 hours`. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

/** `November 12, 2026`, in UTC. */
export function humanDay(ms: number): string {
  return dayFormat.format(ms);
}

// Created once: creating a formatter takes longer than rendering a page may.
const dayFormat = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

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
