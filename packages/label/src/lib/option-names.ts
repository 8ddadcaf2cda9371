import { inNormalCase, isInCapitals, withHyphens } from './letter-case.ts';
import { written } from './abbreviations.ts';
import { completed, type PrintedTexts } from './cut-names.ts';

/** Names of options and equipment, as printed on a label and as people write them. */

/** Marks that labels spell out, two of them in French. */
const MARKS: Record<string, string> = { R: '®', MD: '®', TM: '™', MC: '™' };

/**
 * A printed name as people write it: `TRAILER TOW PKG:` is "Trailer Tow Package". With the label that it is from, a name
 * that is cut there gets its end from another place on it. Abbreviations are English.
 */
export function optionName(printed: string, label?: PrintedTexts): string {
  // The lookbehinds make it linear: without them, every colon or star of a run that isn't at the end would be tried.
  const whole = completed(printed, label).replace(/^[*\s]+(?=[^*\s])|(?<![*\s])[*\s]+$/g, '');
  const name = withHyphens(whole.replace(/(?<![\s:])[\s:]+$/, '') || printed)
    .replace(/(?<=\p{L})'(?=\p{L})/gu, '’')
    .replace(/(?<=\p{L}) ?\((R|MD|TM|MC)\)/gu, (_, mark: string) => MARKS[mark]!);
  const spaced = withSpaces(label && label.language !== 'en' ? name : written(name));
  return asNoun(isInCapitals(spaced) ? withCodes(inNormalCase(spaced)) : withoutLoudWords(spaced));
}

/** `Engine, 6.2L V8` is a "6.2L V8 Engine". */
function asNoun(name: string): string {
  return name.replace(/^(Engine|Transmission), (?!None$|.* with )(.+)$/, '$2 $1');
}

/** Spaces where labels leave them out or add them around punctuation. */
function withSpaces(name: string): string {
  return name
    .replace(/(?<=\S) (?=,)/gu, '')
    .replace(/(?<=[\p{L}"]),(?=\S)|(?<=\p{L}):(?=[\p{L}\d])|(?<=[®™])(?=\p{L})/gu, '$& ')
    .replace(/(?<=\p{L})(?=\([\p{L}\d])|(?<=\d")(?=\p{L})|(?<= -)(?=\p{L})/gu, ' ')
    .replace(/(?<=\p{L}{3})\+(?=\d)/gu, ' + ')
    .replace(/(?<=[\p{L}\d]\/) (?=[\p{L}\d])|(?<=\p{L}-) (?=\p{L})/gu, '')
    .replace(/(?<= )\*(?=\p{L})|(?<=\p{L})\*(?= |$)/gu, '');
}

/** GM's code of an option, as in `(Dealer Installed - PCI)`, keeps its capitals. */
function withCodes(name: string): string {
  return name.replace(/(?<=- ?)\p{Lu}\p{Ll}{2}(?=\)$)/u, (code) => code.toUpperCase());
}

const LOUD = /^\p{Lu}{4,}$/u;

/** Words in capitals that stand together in another name, or before a code: `CREAMY WHITE (WC9) Paint`. */
function withoutLoudWords(name: string): string {
  const words = name.split(' ');
  const isLoud = (word: string | undefined): boolean => LOUD.test(word ?? '');
  return words
    .map((word, at) =>
      isLoud(word) && (isLoud(words[at - 1]) || isLoud(words[at + 1]) || words[at + 1]?.startsWith('('))
        ? inNormalCase(word)
        : word,
    )
    .join(' ');
}

/** A paint's name without what every paint is: `Octane Red Exterior Paint` is "Octane Red". */
export function paintName(printed: string, label?: PrintedTexts): string {
  return optionName(printed, label).replace(/ exterior paint$/i, '');
}

/** A printed place as people write it: `BOWLING GREEN, KY U.S.A.` is "Bowling Green, KY U.S.A." */
export function placeName(printed: string): string {
  const name = isInCapitals(printed) ? inNormalCase(printed) : printed;
  return withHyphens(name).replace(/, [a-z]{2}(?!\p{L})/giu, (state) => state.toUpperCase());
}
