import type { Pdfium } from './pdfium.ts';

/** A transformation matrix as PDF writes it: `[a b c d e f]`. */
export type Matrix = readonly [number, number, number, number, number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** The product of two transformation matrices: the second is applied first. */
export function times(one: Matrix, other: Matrix): Matrix {
  const [a, b, c, d, e, f] = one;
  const [p, q, r, s, t, u] = other;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

/** The matrix that undoes another; null if none does. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix | null {
  const scale = a * d - b * c;
  if (scale === 0) return null;
  return [d / scale, -b / scale, -c / scale, a / scale, (c * f - d * e) / scale, (b * e - a * f) / scale];
}

export interface Point {
  x: number;
  y: number;
}

/** By index: taking a matrix apart for each glyph takes longer than the rest of a run. */
export const at = (matrix: Matrix, x: number, y: number): Point => ({
  x: matrix[0] * x + matrix[2] * y + matrix[4],
  y: matrix[1] * x + matrix[3] * y + matrix[5],
});

/** A rectangle in a PDF's coordinates, which grow to the right and up. */
export interface Area {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

export const contains = ({ left, bottom, right, top }: Area, { x, y }: Point): boolean =>
  x >= left && x <= right && y >= bottom && y <= top;

/** The part that two rectangles share; null if there is none. */
export function intersection(one: Area, other: Area): Area | null {
  const area = {
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
    top: Math.min(one.top, other.top),
  };
  return area.left < area.right && area.bottom < area.top ? area : null;
}

/** The rectangle around points. */
function areaOf(points: readonly Point[]): Area {
  const area = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  for (const { x, y } of points) {
    area.left = Math.min(area.left, x);
    area.right = Math.max(area.right, x);
    area.bottom = Math.min(area.bottom, y);
    area.top = Math.max(area.top, y);
  }
  return area;
}

/** The rectangle around a transformed rectangle. */
export const transformed = (matrix: Matrix, { left, bottom, right, top }: Area): Area =>
  areaOf([
    at(matrix, left, bottom),
    at(matrix, left, top),
    at(matrix, right, bottom),
    at(matrix, right, top),
  ]);

/** A page as readers see it: its top left is the origin, and it is turned so that its text is upright. */
export interface View {
  width: number;
  height: number;
  /** From the PDF's coordinates. */
  matrix: Matrix;
}

/** The view of the visible part of a page, rotated clockwise. */
export function viewOf({ left, bottom, right, top }: Area, rotation: number): View {
  const [width, height] = [right - left, top - bottom];
  switch (rotation) {
    case 90:
      return { width: height, height: width, matrix: [0, 1, 1, 0, -bottom, -left] };
    case 180:
      return { width, height, matrix: [-1, 0, 0, 1, right, -bottom] };
    case 270:
      return { width: height, height: width, matrix: [0, -1, -1, 0, top, right] };
    default:
      return { width, height, matrix: [1, 0, 0, -1, -left, top] };
  }
}

/** Something that a page draws. `handle` is pdfium's, `form` transforms its coordinates into those of the page. */
export interface PageObject {
  kind: 'text' | 'path' | 'picture' | 'begin form' | 'end form';
  handle: number;
  form: Matrix;
  /** False inside a form that is drawn transparently. */
  isOpaque: boolean;
}

/** A label has about 3,000; of files with many more, only the beginning is searched. */
const MAX_OBJECTS = 300_000;
/** Labels nest forms two or three levels deep. */
const MAX_DEPTH = 20;

const KINDS = new Map<number, PageObject['kind']>([
  [1, 'text'],
  [2, 'path'],
  [3, 'picture'],
  [5, 'begin form'],
]);
const OPAQUE = 255;

/** Everything that a page draws, in drawing order. What a form draws is between its beginning and its end. */
export function objectsOf(pdfium: Pdfium, page: number): PageObject[] {
  const { calls } = pdfium;
  const objects: PageObject[] = [];
  const add = (handle: number, form: Matrix, isOpaque: boolean, depth: number): void => {
    const kind = KINDS.get(calls.FPDFPageObj_GetType(handle));
    if (!kind || objects.length >= MAX_OBJECTS) return;
    objects.push({ kind, handle, form, isOpaque });
    if (kind !== 'begin form') return;
    const inner = times(form, matrixOf(pdfium, handle));
    const isInnerOpaque = isOpaque && (colorOf(pdfium, handle)[3] ?? OPAQUE) === OPAQUE;
    const count = depth < MAX_DEPTH ? calls.FPDFFormObj_CountObjects(handle) : 0;
    for (let index = 0; index < count; index++)
      add(calls.FPDFFormObj_GetObject(handle, index), inner, isInnerOpaque, depth + 1);
    objects.push({ kind: 'end form', handle, form, isOpaque });
  };
  const count = calls.FPDFPage_CountObjects(page);
  for (let index = 0; index < count; index++) add(calls.FPDFPage_GetObject(page, index), IDENTITY, true, 0);
  return objects;
}

export function matrixOf({ calls, floats, scratch }: Pdfium, handle: number): Matrix {
  if (!calls.FPDFPageObj_GetMatrix(handle, scratch)) return IDENTITY;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = floats();
  return [a, b, c, d, e, f];
}

/** Red, green, blue and how opaque they are; empty if an object has no color. */
export function colorOf(
  { calls, integers, scratch }: Pdfium,
  handle: number,
  of: 'Fill' | 'Stroke' = 'Fill',
): number[] {
  const getColor = calls[`FPDFPageObj_Get${of}Color`];
  const isFound = getColor(handle, scratch, scratch + 4, scratch + 8, scratch + 12);
  return isFound ? [...integers().subarray(0, 4)] : [];
}

/** A drawn path. Its points are in its own coordinates, which `matrix` transforms into those of the page. */
interface Path {
  isFilled: boolean;
  isStroked: boolean;
  matrix: Matrix;
  points: PathPoint[];
}

export interface PathPoint extends Point {
  /** Three points in a row are a curve: two control points and its end. */
  kind: 'line' | 'curve' | 'move';
}

const POINT_KINDS = ['line', 'curve', 'move'] as const;

export function pathOf(pdfium: Pdfium, { handle, form }: PageObject): Path {
  const { calls, integers, scratch } = pdfium;
  calls.FPDFPath_GetDrawMode(handle, scratch, scratch + 4);
  const [fill, stroke] = integers();
  const matrix = times(form, matrixOf(pdfium, handle));
  const points = pointsOf(pdfium, calls.FPDFPath_CountSegments(handle), (index) =>
    calls.FPDFPath_GetPathSegment(handle, index),
  );
  return { isFilled: fill !== 0, isStroked: stroke !== 0, matrix, points };
}

/** The points of a path or of a clip. */
export function pointsOf(
  { calls, floats, scratch }: Pdfium,
  count: number,
  segmentAt: (index: number) => number,
): PathPoint[] {
  return Array.from({ length: count }, (_, index) => {
    const segment = segmentAt(index);
    const kind = POINT_KINDS[calls.FPDFPathSegment_GetType(segment)] ?? 'line';
    calls.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
    const point = floats();
    return { kind, x: point[0]!, y: point[1]! };
  });
}

/** The rectangle around an object in the page's coordinates, with its strokes and the control points of its curves. */
export function roughBounds({ calls, floats, scratch }: Pdfium, { handle, form }: PageObject): Area {
  calls.FPDFPageObj_GetBounds(handle, scratch, scratch + 4, scratch + 8, scratch + 12);
  const [left = 0, bottom = 0, right = 0, top = 0] = floats();
  return transformed(form, { left, bottom, right, top });
}

/** The rectangle around a path without its strokes, in its own coordinates. */
export function boundsOf({ points }: Path): Area {
  const reached: Point[] = [];
  for (let index = 0; index < points.length; index++) {
    const point = points[index]!;
    const [one, two, end] = [point, points[index + 1], points[index + 2]];
    const start = points[index - 1];
    if (point.kind === 'curve' && start && two && end) {
      const xs = extremes(start.x, one.x, two.x, end.x);
      const ys = extremes(start.y, one.y, two.y, end.y);
      reached.push(
        end,
        { x: Math.min(...xs), y: Math.min(...ys) },
        { x: Math.max(...xs), y: Math.max(...ys) },
      );
      index += 2;
    } else reached.push(point);
  }
  return areaOf(reached);
}

/** The ends of a curve in one direction, and where it turns back. */
function extremes(start: number, one: number, two: number, end: number): number[] {
  const found = [start, end];
  // The derivative is a quadratic equation.
  const a = end - start + 3 * (one - two);
  const b = 2 * (start - 2 * one + two);
  const c = one - start;
  const root = Math.sqrt(b * b - 4 * a * c);
  for (const t of Math.abs(a) < 1e-12 ? [-c / b] : [(-b + root) / (2 * a), (-b - root) / (2 * a)]) {
    if (!(t > 0 && t < 1)) continue;
    const s = 1 - t;
    found.push(s * s * s * start + 3 * s * s * t * one + 3 * s * t * t * two + t * t * t * end);
  }
  return found;
}

/** The rectangle that points connect by straight lines, upright or turned by multiples of 90 degrees; null for other paths. */
export function rectangleOf(points: readonly PathPoint[], matrix: Matrix): Area | null {
  const [a, b, c, d] = matrix;
  if ((points.length !== 4 && points.length !== 5) || ((a !== 0 || d !== 0) && (b !== 0 || c !== 0)))
    return null;
  const { left, bottom, right, top } = areaOf(points);
  const isCorner = ({ kind, x, y }: PathPoint): boolean =>
    kind !== 'curve' && (isNear(x, left) || isNear(x, right)) && (isNear(y, bottom) || isNear(y, top));
  return points.every(isCorner) ? areaOf(points.map(({ x, y }) => at(matrix, x, y))) : null;
}

const isNear = (one: number, other: number): boolean => Math.abs(one - other) < 0.01;
