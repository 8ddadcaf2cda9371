import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { Drawing, MAX_OPERANDS, nameOf } from './drawing.ts';
import type { Operators } from './shapes.ts';

/**
 * Finds the groups (`q … Q`) of a content stream that only draw paths, and evaluates them as pdf.js would. A group restores the
 * state it found, so nothing outside of it depends on what is inside.
 */

/** Groups nested deeper aren't in labels. */
const MAX_DEPTH = 200;
/** More than all drawings of a label have. */
const MAX_OPERATORS = 100_000;
/** Shorter ones aren't worth replacing. */
const MIN_BYTES = 64;
/** More operands than any operator of a drawing has. */
const TOO_MANY = MAX_OPERANDS + 1;

const BEGIN = nameOf('q');
const END = nameOf('Q');
/** What else a content stream may contain. Inline images (BI) are missing, because their bytes can look like anything. */
const OTHER_OPERATORS = new Set(
  [
    ...'d ri i gs BT ET Tc Tw Tz TL Tf Tr Ts Td TD Tm T* Tj TJ \' "'.split(' '),
    ...'d0 d1 CS cs SC SCN sc scn sh Do MP DP BMC BDC EMC BX EX'.split(' '),
  ].map(nameOf),
);

interface Group {
  start: number;
  end: number;
  firstOperator: number;
  endOperator: number;
}

interface OpenGroup {
  start: number;
  firstOperator: number;
  /** False as soon as it contains anything but paths, colors and line styles. */
  onlyDraws: boolean;
  /** The groups in it that only draw, for the case that it doesn't itself. */
  groups: Group[];
}

/**
 * Replaces each drawing in a content stream by the result of `replace`, which gets the drawing's operators. Null if there is
 * none, or if the stream contains anything unusual, such as an unknown operator: pdf.js has its own ways to make sense of broken
 * streams.
 */
export function replaceDrawings(content: Buffer, replace: (drawing: Operators) => string): Buffer | null {
  const found = findDrawings(content);
  if (!found) return null;
  const parts: Buffer[] = [];
  let copied = 0;
  for (const { start, end, firstOperator, endOperator } of joined(found.groups, content)) {
    if (end - start < MIN_BYTES) continue;
    const replacement = replace({
      fnArray: found.operators.fnArray.slice(firstOperator, endOperator),
      argsArray: found.operators.argsArray.slice(firstOperator, endOperator),
    });
    parts.push(content.subarray(copied, start), Buffer.from(` ${replacement} `));
    copied = end;
  }
  return copied > 0 ? Buffer.concat([...parts, content.subarray(copied)]) : null;
}

/** Joins groups that have only white space between them. */
function joined(groups: readonly Group[], content: Buffer): Group[] {
  const runs: Group[] = [];
  for (const group of groups) {
    const last = runs.at(-1);
    let at = last?.end ?? group.start;
    while (at < group.start && KINDS[content[at]!] === SPACE) at++;
    if (last && at === group.start) {
      last.end = group.end;
      last.endOperator = group.endOperator;
    } else runs.push({ ...group });
  }
  return runs;
}

const SPACE = 1;
const DELIMITER = 2;
const KINDS = new Uint8Array(256);
for (const char of '\0\t\n\f\r ') KINDS[char.charCodeAt(0)] = SPACE;
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER;

function findDrawings(content: Buffer): { groups: Group[]; operators: Operators } | null {
  const drawing = new Drawing();
  const operands = drawing.operands;
  let count = 0;
  let open: OpenGroup = { start: 0, firstOperator: 0, onlyDraws: false, groups: [] };
  const stack: OpenGroup[] = [];

  for (let at = 0; at < content.length;) {
    const byte = content[at]!;
    const kind = KINDS[byte];
    if (kind === SPACE) {
      at++;
      continue;
    }
    if (kind === DELIMITER) {
      at = endOfDelimited(content, at);
      if (at < 0) return null;
      count = TOO_MANY;
      continue;
    }
    const start = at;
    // Digits, signs and the decimal point. The character between them is a comma, with which no operator starts.
    if (byte >= 0x2b && byte <= 0x39) {
      let value = 0;
      let scale = 0;
      let digits = 0;
      if (byte === 0x2b || byte === 0x2d) at++;
      for (; at < content.length; at++) {
        const char = content[at]!;
        if (char >= 0x30 && char <= 0x39) {
          value = value * 10 + (char - 0x30);
          scale *= 10;
          digits++;
        } else if (char === 0x2e && scale === 0) scale = 1;
        else break;
      }
      if (digits === 0 || (at < content.length && KINDS[content[at]!] === 0)) return null;
      if (scale > 1) value /= scale;
      if (count < TOO_MANY) operands[count++] = byte === 0x2d ? -value : value;
      continue;
    }
    let name = 0;
    for (; at < content.length && KINDS[content[at]!] === 0; at++) name = name * 256 + content[at]!;
    if (at - start > 3) return null;
    if (name === BEGIN && !drawing.isInPath) {
      if (count > 0 || stack.length >= MAX_DEPTH) return null;
      stack.push(open);
      open = { start, firstOperator: drawing.length, onlyDraws: true, groups: [] };
      drawing.push(OPS.save, null);
    } else if (name === END && !drawing.isInPath) {
      const outer = stack.pop();
      if (count > 0 || !outer) return null;
      drawing.push(OPS.restore, null);
      const { firstOperator } = open;
      if (open.onlyDraws)
        outer.groups.push({ start: open.start, end: at, firstOperator, endOperator: drawing.length });
      else {
        for (const group of open.groups) outer.groups.push(group);
        outer.onlyDraws = false;
      }
      open = outer;
    } else if (!drawing.add(name, count)) {
      if (drawing.isInPath || !OTHER_OPERATORS.has(name)) return null;
      open.onlyDraws = false;
    }
    if (drawing.length > MAX_OPERATORS) return null;
    count = 0;
  }
  return stack.length > 0 || drawing.isInPath ? null : { groups: open.groups, operators: drawing };
}

/** Where the string, name or bracket at a position ends; -1 for comments, braces, and strings without an end. */
function endOfDelimited(content: Uint8Array, start: number): number {
  let at = start + 1;
  switch (String.fromCharCode(content[start]!)) {
    case '(':
      for (let depth = 1; at < content.length; at++) {
        if (content[at] === 0x5c) at++;
        else if (content[at] === 0x28) depth++;
        else if (content[at] === 0x29 && --depth === 0) return at + 1;
      }
      return -1;
    case '<':
      if (content[at] === 0x3c) return at + 1;
      while (at < content.length && content[at] !== 0x3e) at++;
      return at < content.length ? at + 1 : -1;
    case '>':
      return content[at] === 0x3e ? at + 1 : -1;
    case '/':
      while (at < content.length && KINDS[content[at]!] === 0) at++;
      return at;
    case '[':
    case ']':
      return at;
    default:
      return -1;
  }
}
