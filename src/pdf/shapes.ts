import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Shape } from '../reading/types.ts';
import { ratingScaleIn, type Raster } from './rating-scale.ts';

/** Labels need a few dozen shapes. Files with many more aren't labels and must not fill the store. */
const MAX_SHAPES = 600;
/** Labels don't nest deeper. */
const MAX_DEPTH = 200;

/** Sizes that a star, a scale or its marker can have, with tolerance for labels printed smaller or larger. */
const MIN_SIZE_POINTS = 6;
const MAX_WIDTH_POINTS = 420;
const MAX_HEIGHT_POINTS = 70;
const MIN_RULE_POINTS = 60;

/** A transformation matrix as PDF writes it: `[a b c d e f]`. */
export type Matrix = readonly [number, number, number, number, number, number];

interface State {
  matrix: Matrix;
  fill: string;
  stroke: string;
  lineWidth: number;
}

interface View {
  convertToViewportPoint(x: number, y: number): number[];
}

export interface Operators {
  fnArray: number[];
  argsArray: unknown[];
}

/** Stars, bars, rules and the positions of pictures: what the federal boxes draw instead of printing it as text. */
export function shapesOf(
  { fnArray, argsArray }: Operators,
  view: View,
  pictureOf: (name: string) => Raster | null,
): Shape[] {
  const shapes: Shape[] = [];
  const stack: State[] = [];
  let state: State = { matrix: [1, 0, 0, 1, 0, 0], fill: '#000000', stroke: '#000000', lineWidth: 1 };
  const keep = (shape: Shape | null): void => {
    if (shape && shapes.length < MAX_SHAPES) shapes.push(shape);
  };
  for (let index = 0; index < fnArray.length && shapes.length < MAX_SHAPES; index++) {
    const args = argsArray[index] as unknown[] | null;
    switch (fnArray[index]) {
      case OPS.save:
        if (stack.length < MAX_DEPTH) stack.push({ ...state });
        break;
      case OPS.restore:
        // A picture that pdf.js can't decode leaves only its frame: a transform with nothing after it.
        if (fnArray[index - 1] === OPS.transform && fnArray[index - 2] === OPS.save)
          keep(pictureAt(state, view));
        state = stack.pop() ?? state;
        break;
      case OPS.transform:
        state.matrix = times(state.matrix, args as unknown as Matrix);
        break;
      case OPS.paintFormXObjectBegin:
        if (stack.length < MAX_DEPTH) stack.push({ ...state });
        if (Array.isArray(args?.[0])) state.matrix = times(state.matrix, args[0] as unknown as Matrix);
        break;
      case OPS.paintFormXObjectEnd:
        state = stack.pop() ?? state;
        break;
      case OPS.setFillRGBColor:
        state.fill = String(args?.[0]);
        break;
      case OPS.setStrokeRGBColor:
        state.stroke = String(args?.[0]);
        break;
      case OPS.setLineWidth:
        state.lineWidth = Number(args?.[0]) || 0;
        break;
      case OPS.constructPath:
        keep(pathAt(args, state, view));
        break;
      case OPS.paintImageXObject: {
        const frame = pictureAt(state, view);
        keep(frame);
        const raster = frame && pictureOf(String(args?.[0]));
        if (frame && raster && state.matrix[1] === 0 && state.matrix[2] === 0)
          for (const part of ratingScaleIn(raster)) keep(within(frame, part));
        break;
      }
      case OPS.paintImageMaskXObject:
        keep(pictureAt(state, view));
        break;
    }
  }
  return shapes;
}

/** The operators that fill a path. */
export const FILLS = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);
const STROKES = new Set([OPS.stroke, OPS.closeStroke]);

function pathAt(args: unknown[] | null, state: State, view: View): Shape | null {
  const [painted, data, bounds] = args ?? [];
  const filled = FILLS.has(painted as never);
  if (!filled && !STROKES.has(painted as never)) return null;
  const box = bounds as ArrayLike<number> | null;
  if (!box || box.length < 4) return null;
  const frame = frameOf(state.matrix, view, box[0]!, box[1]!, box[2]!, box[3]!);
  const color = filled ? state.fill : state.stroke;
  if (!filled) widen(frame, state.lineWidth * Math.hypot(state.matrix[0], state.matrix[1]));
  if (!isKept(frame)) return null;
  const path = Array.isArray(data) ? (data[0] as ArrayLike<number> | null) : null;
  const star = filled && path !== null && isStar(path);
  return rounded({ kind: star ? 'star' : 'box', ...frame, ...(isLight(color) ? { light: true } : {}) });
}

/** Gives a straight line the height of its stroke. */
function widen(frame: Frame, strokeWidth: number): void {
  if (frame.height < strokeWidth) {
    frame.y -= strokeWidth / 2;
    frame.height += strokeWidth;
  }
}

function isKept({ width, height }: Frame): boolean {
  const rule = width >= MIN_RULE_POINTS && width <= MAX_WIDTH_POINTS && height < MIN_SIZE_POINTS;
  return (
    rule ||
    (width >= MIN_SIZE_POINTS &&
      width <= MAX_WIDTH_POINTS &&
      height >= MIN_SIZE_POINTS &&
      height <= MAX_HEIGHT_POINTS)
  );
}

/** Ten corners, alternately far from and near to the centre. */
function isStar(path: ArrayLike<number>): boolean {
  const corners: [number, number][] = [];
  for (let index = 0; index < path.length && corners.length <= 11;) {
    const op = path[index];
    if (op === 4) index += 1;
    else if (op === 0 || op === 1) {
      corners.push([path[index + 1]!, path[index + 2]!]);
      index += 3;
    } else return false;
  }
  const [first, last] = [corners[0], corners.at(-1)];
  if (corners.length === 11 && first && last && Math.hypot(first[0] - last[0], first[1] - last[1]) < 0.01)
    corners.pop();
  if (corners.length !== 10) return false;
  const x = mean(corners.map(([cornerX]) => cornerX));
  const y = mean(corners.map(([, cornerY]) => cornerY));
  const distances = corners.map((corner) => Math.hypot(corner[0] - x, corner[1] - y));
  const [even, odd] = [
    distances.filter((_, index) => index % 2 === 0),
    distances.filter((_, index) => index % 2 === 1),
  ];
  return Math.min(...even) > 1.6 * Math.max(...odd) || Math.min(...odd) > 1.6 * Math.max(...even);
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function isLight(color: string): boolean {
  return /^#f[0-9a-f]f[0-9a-f]f[0-9a-f]$/i.test(color);
}

interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

function pictureAt(state: State, view: View): Shape | null {
  const frame = frameOf(state.matrix, view, 0, 0, 1, 1);
  const fits = frame.width >= MIN_SIZE_POINTS && frame.height >= MIN_SIZE_POINTS;
  return fits ? rounded({ kind: 'picture', ...frame }) : null;
}

/** A part of a picture, given as fractions of its width and height. */
function within(frame: Frame, part: Frame): Shape {
  return rounded({
    kind: 'box',
    x: frame.x + part.x * frame.width,
    y: frame.y + part.y * frame.height,
    width: part.width * frame.width,
    height: part.height * frame.height,
  });
}

function frameOf(
  matrix: Matrix,
  view: View,
  left: number,
  bottom: number,
  right: number,
  top: number,
): Frame {
  const [a, b, c, d, e, f] = matrix;
  const xs: number[] = [];
  const ys: number[] = [];
  for (const x of [left, right])
    for (const y of [bottom, top]) {
      const [px = 0, py = 0] = view.convertToViewportPoint(a * x + c * y + e, b * x + d * y + f);
      xs.push(px);
      ys.push(py);
    }
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** The product of two transformation matrices: the second is applied first. */
export function times(one: Matrix, other: Matrix): Matrix {
  const [a, b, c, d, e, f] = one;
  const [p, q, r, s, t, u] = other;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

function rounded(shape: Shape): Shape {
  const { x, y, width, height } = shape;
  return { ...shape, x: point(x), y: point(y), width: point(width), height: point(height) };
}

/** Tenths of a point are precise enough for shapes. */
function point(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 10) / 10 : 0;
}
