import { IDENTITY, times, type Matrix } from './geometry.ts';
import type { Pdfium } from './pdfium.ts';

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
