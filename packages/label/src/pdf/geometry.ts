/** A transformation matrix as PDF writes it: `[a b c d e f]`. */
export type Matrix = readonly [number, number, number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

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
export function areaOf(points: readonly Point[]): Area {
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
