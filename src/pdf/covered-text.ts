import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { FILLS, times, type Matrix, type Operators } from './shapes.ts';

/**
 * Finds text that is invisible because a filled rectangle was painted over it. GM prints its price list again and again until
 * it fits, covers each attempt with a white rectangle, and leaves all of them in the file.
 */

/** A rectangle in the page's coordinates. */
interface Area {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

interface State {
  matrix: Matrix;
  /** False for a pattern, a transparent fill, or a blend mode. */
  opaque: { color: boolean; alpha: boolean; blend: boolean; mask: boolean };
  /** Null if the clip isn't a rectangle. */
  clip: Area | null;
  font: number;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
}

interface DrawnText {
  x: number;
  y: number;
  /** The index of the operator that drew it. */
  operator: number;
}

/** A label has about 20,000 operators; of files with many more, only the beginning is searched. */
const MAX_OPERATORS = 300_000;
const MAX_DEPTH = 200;
/** Smaller rectangles are rules and frames. */
const MIN_SIZE_POINTS = 4;
const MAX_AREAS = 400;
/** How many drawn texts may lie between two text items: spaces, and texts that pdf.js joined. */
const MAX_LOOKAHEAD = 600;
/** How far our origin of a text may differ from that of pdf.js. */
const TOLERANCE_POINTS = 0.6;

const EVERYWHERE: Area = { left: -Infinity, bottom: -Infinity, right: Infinity, top: Infinity };

/** For each text item, in drawing order: is it painted over later? `origins` are their positions on the page. */
export function coveredText(
  operators: Operators,
  origins: { x: number; y: number; blank: boolean }[],
): boolean[] {
  const { texts, areas } = findTextsAndAreas(operators);
  if (areas.length === 0) return origins.map(() => false);
  let current = -1;
  return origins.map(({ x, y, blank }) => {
    // Blank items are not drawn, so there is nothing to match.
    if (blank) return false;
    const end = Math.min(texts.length, current + MAX_LOOKAHEAD);
    // An item without a match is a part of the drawn text that was matched last.
    for (let index = current + 1; index < end; index++) {
      const text = texts[index]!;
      if (Math.abs(text.x - x) < TOLERANCE_POINTS && Math.abs(text.y - y) < TOLERANCE_POINTS) {
        current = index;
        break;
      }
    }
    const operator = texts[current]?.operator ?? Infinity;
    return areas.some(
      ({ area, painted }) =>
        painted > operator && x >= area.left && x <= area.right && y >= area.bottom && y <= area.top,
    );
  });
}

function findTextsAndAreas({ fnArray, argsArray }: Operators): {
  texts: DrawnText[];
  areas: { area: Area; painted: number }[];
} {
  const texts: DrawnText[] = [];
  const areas: { area: Area; painted: number }[] = [];
  const stack: State[] = [];
  let clipsNext = false;
  let state: State = {
    matrix: [1, 0, 0, 1, 0, 0],
    opaque: { color: true, alpha: true, blend: true, mask: true },
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
    if (stack.length < MAX_DEPTH) stack.push({ ...state, opaque: { ...state.opaque } });
  };
  const count = Math.min(fnArray.length, MAX_OPERATORS);
  for (let index = 0; index < count; index++) {
    const args = (argsArray[index] ?? []) as unknown[];
    const [one, two] = args as number[];
    switch (fnArray[index]) {
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
        state.opaque.color = true;
        break;
      case OPS.setFillColorN:
      case OPS.setFillTransparent:
        state.opaque.color = false;
        break;
      case OPS.clip:
      case OPS.eoClip:
        clipsNext = true;
        break;
      case OPS.constructPath: {
        const area = rectangleOf(args, state.matrix);
        const isOpaque = Object.values(state.opaque).every(Boolean);
        if (FILLS.has(one as never) && area && state.clip && isOpaque) {
          const visible = intersection(area, state.clip);
          if (visible && areas.length < MAX_AREAS) areas.push({ area: visible, painted: index });
        }
        if (clipsNext) state.clip = area && state.clip && (intersection(area, state.clip) ?? null);
        clipsNext = false;
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
        texts.push({ x, y, operator: index });
        pen += widthOf(args[0], state);
        break;
      }
    }
  }
  return { texts, areas };
}

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

/** The rectangle of a path, upright or rotated by multiples of 90 degrees; null for any other path. */
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
  return area.right - area.left >= MIN_SIZE_POINTS && area.top - area.bottom >= MIN_SIZE_POINTS ? area : null;
}

/** Whether a path connects the four corners of its bounds by straight lines. In pdf.js, 0 moves, 1 draws, 4 closes. */
function isRectangle(path: ArrayLike<number>, box: ArrayLike<number>): boolean {
  let corners = 0;
  for (let index = 0; index < path.length;) {
    if (path[index] === 4) {
      index += 1;
      continue;
    }
    if (path[index] !== 0 && path[index] !== 1) return false;
    const [x, y] = [path[index + 1]!, path[index + 2]!];
    const isCorner = (isNear(x, box[0]!) || isNear(x, box[2]!)) && (isNear(y, box[1]!) || isNear(y, box[3]!));
    if (!isCorner) return false;
    corners++;
    index += 3;
  }
  return corners === 4 || corners === 5;
}

const isNear = (one: number, other: number): boolean => Math.abs(one - other) < 0.01;

function intersection(one: Area, other: Area): Area | null {
  const area = {
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
    top: Math.min(one.top, other.top),
  };
  return area.left < area.right && area.bottom < area.top ? area : null;
}

function matrixOf(value: unknown): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(value as ArrayLike<number>);
  return [a, b, c, d, e, f];
}
