import type { Shape } from '../reading/types.ts';
import { times, transformed, type Area, type Point, type View } from './geometry.ts';
import {
  boundsOf,
  colorOf,
  matrixOf,
  pathOf,
  roughBounds,
  type PageObject,
  type PathPoint,
} from './page-objects.ts';
import type { Pdfium } from './pdfium.ts';
import { MAX_PIXELS, ratingScaleIn, type Part, type Raster } from './rating-scale.ts';

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

interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

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
const within = (frame: Frame, part: Part): Shape =>
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
