/** Runs a regular expression on texts that are made to be slow for it. */
import type { AST } from '@eslint-community/regexpp';

/** Repetitions up to this bound cost a constant factor only. */
const BOUNDED = 300;
const PIECES = 8;
const PIECE_LENGTH = 8_000;
/** A linear pattern takes less for a piece, a quadratic one more for all pieces in one text. */
const PIECE_MS = 0.4;
const SLOW_MS = 20;
const ATTEMPTS = 4;

const CANDIDATES = [
  ...' \ta0A/,.-',
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)),
  '–',
  '’',
];
/** Characters after the repetition that may prevent a match. */
const ENDS = ['\n\0', '!'];

/** A text that takes `pattern` more than linear time, abridged; null if none was found. */
export function slowText(pattern: RegExp, parsed: AST.Pattern): string | null {
  // `split`, `replaceAll` and loops continue after a match.
  const flags = /[gy]/.test(pattern.flags) ? pattern.flags : `${pattern.flags}g`;
  const repeated = new RegExp(pattern.source, flags);
  for (const [start, unit] of attacks(parsed, pattern.flags))
    for (const end of ENDS)
      if (isSlowEachTime(repeated, start, unit, end)) return JSON.stringify(`${start}${unit}${unit}…${end}`);
  return null;
}

/** On a busy machine, CPU time varies by more than the difference. */
function isSlowEachTime(...attack: Parameters<typeof isSlow>): boolean {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (!isSlow(...attack)) return false;
  return true;
}

function isSlow(pattern: RegExp, start: string, unit: string, end: string): boolean {
  const textOf = (length: number) => start + unit.repeat(Math.ceil(length / unit.length)) + end;
  const piece = textOf(PIECE_LENGTH);
  const began = performance.now();
  piece.replace(pattern, '');
  if (performance.now() - began < PIECE_MS) return false;
  const pieces = cpuTime(() => Array.from({ length: PIECES }, () => piece.replace(pattern, '')));
  const whole = textOf(PIECES * PIECE_LENGTH);
  const time = cpuTime(() => whole.replace(pattern, ''));
  // The same for a linear pattern; eight times as much for a quadratic one.
  return time > SLOW_MS && time > 3 * pieces;
}

/** CPU time of this thread in milliseconds: other processes don't matter. */
function cpuTime(run: () => void): number {
  const began = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
}

/** For each unbounded repetition, a text that leads there, and units to repeat. */
function attacks(pattern: AST.Pattern, flags: string): [start: string, unit: string][] {
  const found = new Map<string, [string, string]>();
  const add = (start: string, unit: string) => unit && found.set(`${start}\0${unit}`, [start, unit]);

  const known = new Map<string, string[]>();
  const charactersOf = ({ raw }: AST.Node): string[] => {
    const single = new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''));
    const characters = known.get(raw) ?? CANDIDATES.filter((character) => single.test(character));
    known.set(raw, characters);
    return characters;
  };
  /** A short text that `node` matches. */
  const example = (node: AST.Node): string => {
    switch (node.type) {
      case 'Alternative':
        return node.elements.map(example).join('');
      case 'Group':
      case 'CapturingGroup':
        return example(node.alternatives[0]!);
      case 'Quantifier':
        return example(node.element).repeat(node.min);
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return charactersOf(node)[0] ?? '';
      default:
        return '';
    }
  };
  const unitsOf = (node: AST.Node): string[] => {
    if (node.type === 'Group' || node.type === 'CapturingGroup') return node.alternatives.map(example);
    const characters = charactersOf(node);
    return [characters[0], characters.find((character) => /\w/.test(character)), characters.at(-1)].filter(
      (character) => character !== undefined,
    );
  };
  const visit = (node: AST.Node, before: string): void => {
    if ('alternatives' in node) {
      for (const alternative of node.alternatives) visit(alternative, before);
    } else if (node.type === 'Alternative') {
      let start = before;
      for (const element of node.elements) {
        visit(element, start);
        start += example(element);
      }
    } else if (node.type === 'Quantifier') {
      visit(node.element, before);
      if (node.max <= BOUNDED) return;
      for (const unit of unitsOf(node.element)) {
        add(before, unit);
        add('', unit);
        add('', before + unit);
        add('', `${before}${unit} `);
      }
    }
  };
  visit(pattern, '');
  return [...found.values()];
}
