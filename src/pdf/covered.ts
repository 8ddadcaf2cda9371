import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Operators } from './shapes.ts';

/**
 * Text that nobody sees, because a filled rectangle was painted over it: GM sets its price list again and again until
 * it fits, each try under a white rectangle, and all of them are in the file.
 */

type Matrix = readonly [number, number, number, number, number, number];

/** A rectangle in the page's own space. */
interface Area {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

interface State {
  matrix: Matrix;
  /** False for a pattern, a transparent fill, or a blend with what lies below. */
  opaque: { colour: boolean; alpha: boolean; blend: boolean; mask: boolean };
  /** Null where the clip is no rectangle. */
  clip: Area | null;
  font: number;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
}

interface Drawn {
  x: number;
  y: number;
  /** The operator that drew it. */
  at: number;
}

/** A label draws some 20,000 operators; a file with many more is not searched to its end. */
const maxOperators = 300_000;
const maxDepth = 200;
/** Smaller rectangles are rules and frames. In points. */
const smallest = 4;
const maxAreas = 400;
/** How many pieces of text may lie between two that are items: spaces and pieces that were joined. */
const lookAhead = 600;
/** How far the two ways of finding where text begins may differ, in points. */
const near = 0.6;

const EVERYWHERE: Area = { left: -Infinity, bottom: -Infinity, right: Infinity, top: Infinity };

/** For each piece of text, in the order of drawing: is it painted over later? `begins` are their origins on the page. */
export function coveredText(
  operators: Operators,
  begins: { x: number; y: number; blank: boolean }[],
): boolean[] {
  const { texts, areas } = walk(operators);
  if (areas.length === 0) return begins.map(() => false);
  let pointer = -1;
  return begins.map(({ x, y, blank }) => {
    // Blanks have no drawing of their own to be matched with, and hide nothing from a reader.
    if (blank) return false;
    const end = Math.min(texts.length, pointer + lookAhead);
    // A piece may begin in the middle of one that was drawn at once: then it is part of the last one found.
    for (let index = pointer + 1; index < end; index++) {
      const text = texts[index]!;
      if (Math.abs(text.x - x) < near && Math.abs(text.y - y) < near) {
        pointer = index;
        break;
      }
    }
    const at = texts[pointer]?.at ?? Infinity;
    return areas.some(
      ({ area, painted }) =>
        painted > at && x >= area.left && x <= area.right && y >= area.bottom && y <= area.top,
    );
  });
}

function walk({ fnArray, argsArray }: Operators): {
  texts: Drawn[];
  areas: { area: Area; painted: number }[];
} {
  const texts: Drawn[] = [];
  const areas: { area: Area; painted: number }[] = [];
  const stack: State[] = [];
  let clips = false;
  let state: State = {
    matrix: [1, 0, 0, 1, 0, 0],
    opaque: { colour: true, alpha: true, blend: true, mask: true },
    clip: EVERYWHERE,
    font: 0,
    charSpacing: 0,
    wordSpacing: 0,
    scale: 1,
    leading: 0,
    rise: 0,
  };
  let line: Matrix = [1, 0, 0, 1, 0, 0];
  let pen = 0;
  const moveTo = (matrix: Matrix): void => {
    line = matrix;
    pen = 0;
  };
  const move = (x: number, y: number): void => moveTo(times(line, [1, 0, 0, 1, x, y]));
  const save = (): void => {
    if (stack.length < maxDepth) stack.push({ ...state, opaque: { ...state.opaque } });
  };
  const count = Math.min(fnArray.length, maxOperators);
  for (let at = 0; at < count; at++) {
    const args = (argsArray[at] ?? []) as unknown[];
    const [one, two] = args as number[];
    switch (fnArray[at]) {
      case OPS.save:
        save();
        break;
      case OPS.paintFormXObjectBegin:
        save();
        if (Array.isArray(args[0])) state.matrix = times(state.matrix, args[0] as unknown as Matrix);
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        state = stack.pop() ?? state;
        break;
      case OPS.transform:
        state.matrix = times(state.matrix, args as unknown as Matrix);
        break;
      case OPS.setGState:
        for (const [key, value] of (args[0] ?? []) as [string, unknown][]) {
          if (key === 'ca') state.opaque.alpha = value === 1;
          if (key === 'BM') state.opaque.blend = value === 'source-over';
          if (key === 'SMask') state.opaque.mask = value === false || value === null;
        }
        break;
      case OPS.setFillRGBColor:
        state.opaque.colour = true;
        break;
      case OPS.setFillColorN:
      case OPS.setFillTransparent:
        state.opaque.colour = false;
        break;
      case OPS.clip:
      case OPS.eoClip:
        clips = true;
        break;
      case OPS.constructPath: {
        const area = rectangleOf(args, state.matrix);
        const isOpaque = Object.values(state.opaque).every(Boolean);
        if (FILLS.has(one as never) && area && state.clip && isOpaque) {
          const seen = within(area, state.clip);
          if (seen && areas.length < maxAreas) areas.push({ area: seen, painted: at });
        }
        if (clips) state.clip = area && state.clip && (within(area, state.clip) ?? null);
        clips = false;
        break;
      }
      case OPS.beginText:
        moveTo([1, 0, 0, 1, 0, 0]);
        break;
      case OPS.setTextMatrix:
        moveTo(matrixOf(args[0] ?? args));
        break;
      case OPS.setLeadingMoveText:
        state.leading = -two!;
        move(one!, two!);
        break;
      case OPS.moveText:
        move(one!, two!);
        break;
      case OPS.setLeading:
        state.leading = one!;
        break;
      case OPS.nextLine:
        move(0, -state.leading);
        break;
      case OPS.setFont:
        state.font = Number(two) || 0;
        break;
      case OPS.setCharSpacing:
        state.charSpacing = one!;
        break;
      case OPS.setWordSpacing:
        state.wordSpacing = one!;
        break;
      case OPS.setHScale:
        state.scale = one! / 100;
        break;
      case OPS.setTextRise:
        state.rise = one!;
        break;
      case OPS.showText: {
        const [, , , , x, y] = times(state.matrix, times(line, [1, 0, 0, 1, pen, state.rise]));
        texts.push({ x, y, at });
        pen += widthOf(args[0], state);
        break;
      }
    }
  }
  return { texts, areas };
}

const FILLS = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);

interface Glyph {
  width?: number;
  isSpace?: boolean;
}

function widthOf(glyphs: unknown, state: State): number {
  let width = 0;
  for (const glyph of Array.isArray(glyphs) ? (glyphs as (Glyph | number | null)[]) : []) {
    if (typeof glyph === 'number') width -= (glyph * state.font) / 1000;
    else if (glyph)
      width +=
        ((glyph.width ?? 0) * state.font) / 1000 +
        state.charSpacing +
        (glyph.isSpace ? state.wordSpacing : 0);
  }
  return width * state.scale;
}

/** The rectangle that a path is, upright or turned by quarters; null for any other path. */
function rectangleOf([, data, bounds]: unknown[], matrix: Matrix): Area | null {
  const path = Array.isArray(data) ? (data[0] as ArrayLike<number> | null) : null;
  const box = bounds as ArrayLike<number> | null;
  if (!path || !box || box.length < 4 || path.length > 20 || !isRectangle(path, box)) return null;
  const [a, b, c, d, e, f] = matrix;
  if ((a !== 0 || d !== 0) && (b !== 0 || c !== 0)) return null;
  const xs = [a * box[0]! + c * box[1]! + e, a * box[2]! + c * box[3]! + e];
  const ys = [b * box[0]! + d * box[1]! + f, b * box[2]! + d * box[3]! + f];
  const area = {
    left: Math.min(...xs),
    right: Math.max(...xs),
    bottom: Math.min(...ys),
    top: Math.max(...ys),
  };
  return area.right - area.left >= smallest && area.top - area.bottom >= smallest ? area : null;
}

/** Four corners of its own bounds, joined by straight lines: 0 moves, 1 draws, 4 closes. */
function isRectangle(path: ArrayLike<number>, box: ArrayLike<number>): boolean {
  let corners = 0;
  for (let at = 0; at < path.length;) {
    if (path[at] === 4) {
      at += 1;
      continue;
    }
    if (path[at] !== 0 && path[at] !== 1) return false;
    const [x, y] = [path[at + 1]!, path[at + 2]!];
    const isCorner = (isNear(x, box[0]!) || isNear(x, box[2]!)) && (isNear(y, box[1]!) || isNear(y, box[3]!));
    if (!isCorner) return false;
    corners++;
    at += 3;
  }
  return corners === 4 || corners === 5;
}

const isNear = (one: number, other: number): boolean => Math.abs(one - other) < 0.01;

function within(one: Area, other: Area): Area | null {
  const area = {
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
    top: Math.min(one.top, other.top),
  };
  return area.left < area.right && area.bottom < area.top ? area : null;
}

function matrixOf(given: unknown): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(given as ArrayLike<number>);
  return [a, b, c, d, e, f];
}

function times(one: Matrix, other: Matrix): Matrix {
  const [a, b, c, d, e, f] = one;
  const [p, q, r, s, t, u] = other;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}
