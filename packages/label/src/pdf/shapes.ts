import type { Shape } from '../reading/types.ts';
import {
  times,
  transformed,
  type Area,
  type Point,
  type View,
  boundsOf,
  colorOf,
  matrixOf,
  pathOf,
  roughBounds,
  type PageObject,
  type PathPoint,
} from './page-objects.ts';
import type { Pdfium } from './pdfium.ts';

/** Labels need a few dozen shapes. Files with many more aren't labels and must not fill the store. */
const MAX_SHAPES = 600;

/** Sizes that a star, a scale or its marker can have, with tolerance for labels printed smaller or larger. */
const MIN_SIZE_POINTS = 6;
const MAX_WIDTH_POINTS = 420;
const MAX_HEIGHT_POINTS = 70;
const MIN_RULE_POINTS = 60;

/** Stars, bars, rules and the positions of pictures: what the federal boxes draw instead of printing it as text. */
export function shapesOf(pdfium: Pdfium, objects: readonly PageObject[], view: View): Shape[] {
  const shapes: Shape[] = [];
  for (const object of objects) {
    if (shapes.length >= MAX_SHAPES) break;
    if (object.kind === 'path') shapes.push(...pathShape(pdfium, object, view));
    if (object.kind === 'picture') shapes.push(...pictureShapes(pdfium, object, view));
  }
  return shapes.slice(0, MAX_SHAPES);
}

type Frame = Pick<Shape, 'x' | 'y' | 'width' | 'height'>;

/** A rectangle of the view, whose coordinates grow to the right and down. */
const frameOf = ({ left, bottom, right, top }: Area): Frame => ({
  x: left,
  y: bottom,
  width: right - left,
  height: top - bottom,
});

function pathShape(pdfium: Pdfium, object: PageObject, view: View): Shape[] {
  const { calls, floats, scratch } = pdfium;
  if (isTiny(frameOf(transformed(view.matrix, roughBounds(pdfium, object))))) return [];
  const path = pathOf(pdfium, object);
  if (!path.isFilled && !path.isStroked) return [];
  const frame = frameOf(transformed(times(view.matrix, path.matrix), boundsOf(path)));
  if (!path.isFilled) {
    calls.FPDFPageObj_GetStrokeWidth(object.handle, scratch);
    widen(frame, floats()[0]! * Math.hypot(path.matrix[0], path.matrix[1]));
  }
  if (!isKept(frame)) return [];
  const kind = path.isFilled && isStar(path.points) ? 'star' : 'box';
  return [
    rounded({ kind, ...frame, ...(isLight(pdfium, object.handle, path.isFilled) ? { light: true } : {}) }),
  ];
}

/** Gives a straight line the height of its stroke. */
function widen(frame: Frame, strokeWidth: number): void {
  if (frame.height < strokeWidth) {
    frame.y -= strokeWidth / 2;
    frame.height += strokeWidth;
  }
}

const isTiny = ({ width, height }: Frame): boolean =>
  width < MIN_SIZE_POINTS || (height < MIN_SIZE_POINTS && width < MIN_RULE_POINTS);

const isKept = (frame: Frame): boolean =>
  !isTiny(frame) && frame.width <= MAX_WIDTH_POINTS && frame.height <= MAX_HEIGHT_POINTS;

/** Ten corners, alternately far from and near to the centre. */
function isStar(points: readonly PathPoint[]): boolean {
  if (points.length > 11 || points.some(({ kind }) => kind === 'curve')) return false;
  const [first, last] = [points[0], points.at(-1)];
  const isClosed = points.length === 11 && first && last && distance(first, last) < 0.01;
  const corners = isClosed ? points.slice(0, -1) : points;
  if (corners.length !== 10) return false;
  const center = { x: mean(corners.map(({ x }) => x)), y: mean(corners.map(({ y }) => y)) };
  const distances = corners.map((corner) => distance(corner, center));
  const [even, odd] = [
    distances.filter((_, index) => index % 2 === 0),
    distances.filter((_, index) => index % 2 === 1),
  ];
  return Math.min(...even) > 1.6 * Math.max(...odd) || Math.min(...odd) > 1.6 * Math.max(...even);
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const MIN_LIGHT = 0xf0;

/** True for a path that is painted white or nearly so. */
function isLight(pdfium: Pdfium, handle: number, isFilled: boolean): boolean {
  const [red = 0, green = 0, blue = 0] = colorOf(pdfium, handle, isFilled ? 'Fill' : 'Stroke');
  return Math.min(red, green, blue) >= MIN_LIGHT;
}

/** The frame of a picture and, if it is a rating scale, the parts of the scale. */
function pictureShapes(pdfium: Pdfium, object: PageObject, view: View): Shape[] {
  const matrix = times(view.matrix, times(object.form, matrixOf(pdfium, object.handle)));
  const frame = frameOf(transformed(matrix, { left: 0, bottom: 0, right: 1, top: 1 }));
  if (frame.width < MIN_SIZE_POINTS || frame.height < MIN_SIZE_POINTS) return [];
  const isUpright = matrix[1] === 0 && matrix[2] === 0;
  const raster = isUpright ? rasterOf(pdfium, object.handle) : null;
  const parts = raster ? ratingScaleIn(raster) : [];
  return [rounded({ kind: 'picture', ...frame }), ...parts.map((part) => within(frame, part))];
}

/** A part of a picture, given as fractions of its width and height. */
const within = (frame: Frame, part: Frame): Shape =>
  rounded({
    kind: 'box',
    x: frame.x + part.x * frame.width,
    y: frame.y + part.y * frame.height,
    width: part.width * frame.width,
    height: part.height * frame.height,
  });

/** The bytes and the channels of a pixel in pdfium's formats: gray, BGR, BGR with an unused byte, BGRA. */
const FORMATS = [null, [1, 1], [3, 3], [4, 3], [4, 4]] as const;

/** The pixels of a small picture that is as wide as a scale. */
function rasterOf(pdfium: Pdfium, handle: number): Raster | null {
  const { calls, integers, bytes, scratch } = pdfium;
  if (!calls.FPDFImageObj_GetImagePixelSize(handle, scratch, scratch + 4)) return null;
  const [width = 0, height = 0] = integers();
  if (width * height > MAX_PIXELS || width < 2 * height) return null;
  const bitmap = calls.FPDFImageObj_GetBitmap(handle);
  if (!bitmap) return null;
  const [pixelBytes, channels] = FORMATS[calls.FPDFBitmap_GetFormat(bitmap)] ?? [0, 0];
  const stride = calls.FPDFBitmap_GetStride(bitmap);
  const size = { width: calls.FPDFBitmap_GetWidth(bitmap), height: calls.FPDFBitmap_GetHeight(bitmap) };
  const data = bytes(calls.FPDFBitmap_GetBuffer(bitmap), stride * size.height).slice();
  calls.FPDFBitmap_Destroy(bitmap);
  return { ...size, stride, pixelBytes, channels, data };
}

function rounded(shape: Shape): Shape {
  const { x, y, width, height } = shape;
  return { ...shape, x: point(x), y: point(y), width: point(width), height: point(height) };
}

/** Tenths of a point are precise enough for shapes. */
function point(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 10) / 10 : 0;
}

/** The pixels of a small picture. */
export interface Raster {
  width: number;
  height: number;
  /** Bytes from one row, and from one pixel, to the next. */
  stride: number;
  pixelBytes: number;
  /** Gray, three colors, or three colors and how opaque they are. */
  channels: number;
  data: ArrayLike<number>;
}

/** Larger pictures are photographs and backgrounds. */
const MAX_PIXELS = 200_000;
/** Pixels whose sum of red, green and blue is lower count as black. */
const MAX_BLACK = 210;

/**
 * Some labels have a rating scale as one picture: a bar with black blocks at both ends, and perhaps a black marker above it.
 * Returns the bar between the blocks and the marker, as fractions of the picture's size; empty if it is another picture.
 */
export function ratingScaleIn(raster: Raster): Frame[] {
  const { width, height, stride, pixelBytes, channels, data } = raster;
  if (width * height > MAX_PIXELS || channels === 0 || width < 2 * height) return [];
  const isBlack = (x: number, y: number): boolean => {
    const index = y * stride + x * pixelBytes;
    if (channels === 1) return 3 * data[index]! < MAX_BLACK;
    const isVisible = channels === 3 || data[index + 3]! > 127;
    return isVisible && data[index]! + data[index + 1]! + data[index + 2]! < MAX_BLACK;
  };
  // The outline above and below the bar spans the whole width; the bar's own rows have a block at each end.
  const rows = Array.from({ length: height }, (_, y) => ({ y, ...endsOf(isBlack, width, y) })).filter(
    ({ left, right }) =>
      left > width * MIN_BLOCK_WIDTH && right > width * MIN_BLOCK_WIDTH && left + right < width * 0.8,
  );
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || rows.length < height * 0.1) return [];
  const left = Math.max(...rows.map((row) => row.left));
  const right = Math.max(...rows.map((row) => row.right));
  const bar = {
    x: left / width,
    y: first.y / height,
    width: 1 - (left + right) / width,
    height: (last.y - first.y + 1) / height,
  };
  const marker = markerOf(isBlack, width, first.y);
  if (!marker) return [bar];
  const { from, to, top } = marker;
  return [
    bar,
    { x: from / width, y: top / height, width: (to - from + 1) / width, height: (first.y - top) / height },
  ];
}

/** The minimum width of a block, as a fraction of the picture's width. */
const MIN_BLOCK_WIDTH = 0.06;

/** How far black reaches inward from both edges of a row. */
function endsOf(
  isBlack: (x: number, y: number) => boolean,
  width: number,
  y: number,
): { left: number; right: number } {
  // The outline may leave a few pixels free at the edge.
  const maxMargin = Math.ceil(width * 0.04);
  let [left, right] = [0, 0];
  for (let x = 0; x < maxMargin && left === 0; x++) if (isBlack(x, y)) left = x + 1;
  while (left > 0 && left < width && isBlack(left, y)) left++;
  for (let x = 0; x < maxMargin && right === 0; x++) if (isBlack(width - 1 - x, y)) right = x + 1;
  while (right > 0 && right < width && isBlack(width - 1 - right, y)) right++;
  return { left, right };
}

/** The marker above the bar; null if what is there is too wide for one. */
function markerOf(
  isBlack: (x: number, y: number) => boolean,
  width: number,
  bottom: number,
): { from: number; to: number; top: number } | null {
  let [from, to, top] = [width, -1, -1];
  for (let y = 0; y < bottom; y++) {
    let [left, right] = [width, -1];
    for (let x = 0; x < width; x++)
      if (isBlack(x, y)) {
        left = Math.min(left, x);
        right = x;
      }
    // The outline of the bar.
    if (right - left > width * 0.5) break;
    if (right < 0) continue;
    [from, to] = [Math.min(from, left), Math.max(to, right)];
    if (top < 0) top = y;
  }
  return to < 0 || to - from > width * 0.25 ? null : { from, to, top };
}
