/** Words that several fronts put together alike. */

const SMALL =
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** `two`, `twenty`, `21`. */
export function inWords(count: number): string {
  return SMALL[count] ?? String(count);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `Ford`, `Ford and Lincoln`, `Ford, Lincoln and Kia`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Makes that people know and that are not written with one capital a word. */
const OWN_SPELLING = new Map(
  'AM General,BMW,BrightDrop,BYD,CFMOTO,DeLorean,FCA,GMC,IC Bus,INEOS,KTM,McLaren,MG,MINI,VinFast,smart'
    .split(',')
    .map((name) => [name.toUpperCase(), name]),
);

/** vPIC's capitals as a person writes them: `ALFA ROMEO`, `GMC`, `MERCEDES-BENZ`. */
export function titleCase(make: string): string {
  const own = OWN_SPELLING.get(make);
  if (own) return own;
  return make
    .toLowerCase()
    .replace(/(^|[\s-])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
