import { clean, TEXT_VERSION } from '../reading/lines.ts';
import type { LabelText, TextItem, TextPage } from '../reading/types.ts';
import {
  at,
  colorOf,
  contains,
  intersection,
  inverse,
  matrixOf,
  objectsOf,
  pathOf,
  pointsOf,
  rectangleOf,
  roughBounds,
  times,
  transformed,
  viewOf,
  type Area,
  type Matrix,
  type PageObject,
  type Point,
  type View,
} from './page-objects.ts';
import { RefusedPdf, withDocument, withPage, type Pdfium } from './pdfium.ts';
import { pictureMaskOf } from './picture-mask.ts';
import { glyphsOf, runsOf, type Run } from './runs.ts';
import { shapesOf } from './shapes.ts';

// A label is one page of about a thousand text runs. Larger files aren't labels and must not fill the store.
const MAX_PAGES = 4;
const MAX_ITEMS = 20_000;
const MAX_CHARACTERS = 400_000;
const MAX_RUN_CHARACTERS = 2_000;

interface Budget {
  items: number;
  characters: number;
  incomplete: boolean;
}

/**
 * The visible text of a PDF with positions, rotated so that it runs from left to right. The service calls
 * this in child processes: a hostile file may use all the memory and time that it gets.
 */
export function extractText(pdf: Uint8Array): Promise<LabelText> {
  return withDocument(pdf, (pdfium, document) => {
    const count = pdfium.calls.FPDF_GetPageCount(document);
    if (count < 1) throw new RefusedPdf('no pages');
    const remaining = { items: MAX_ITEMS, characters: MAX_CHARACTERS, incomplete: count > MAX_PAGES };
    const pages = Array.from({ length: Math.min(count, MAX_PAGES) }, (_, index) =>
      withPage(pdfium, document, index, (page) => textPageOf(pdfium, pdf, document, page, remaining)),
    );
    const { incomplete } = remaining;
    return { version: TEXT_VERSION, positioned: true, pages, ...(incomplete ? { incomplete } : {}) };
  });
}

function textPageOf(
  pdfium: Pdfium,
  pdf: Uint8Array,
  document: number,
  page: number,
  remaining: Budget,
): TextPage {
  const visible = visibleArea(pdfium, page);
  const shownRotation = 90 * pdfium.calls.FPDFPage_GetRotation(page);
  const objects = objectsOf(pdfium, page);
  const rectangles = coversOf(pdfium, objects);
  const runs = runsOf(objects, glyphsOf(pdfium, page, objects), visible);
  const covers = [...rectangles, ...coveringPictures(pdfium, pdf, document, page, objects, runs)];
  const rotation = uprightOf(runs, shownRotation);
  const view = viewOf(visible, rotation);
  const turn = (shownRotation - rotation + 360) % 360;
  const shapes = shapesOf(pdfium, objects, view);
  return {
    width: point(view.width),
    height: point(view.height),
    ...(turn ? { turn } : {}),
    items: itemsOf(
      runs.filter((run) => !isCovered(run, covers)),
      view,
      rotation,
      remaining,
    ),
    ...(shapes.length > 0 ? { shapes } : {}),
  };
}

function visibleArea({ calls, floats, scratch }: Pdfium, page: number): Area {
  calls.FPDF_GetPageBoundingBox(page, scratch);
  const [left = 0, top = 0, right = 0, bottom = 0] = floats();
  return { left, top, right, bottom };
}

/**
 * The rotation in which most of the text runs from left to right. It may differ from the page's /Rotate: some labels are
 * printed sideways.
 */
function uprightOf(runs: readonly Run[], own: number): number {
  const letters = new Map<number, number>();
  for (const { rotation, text } of runs) letters.set(rotation, (letters.get(rotation) ?? 0) + text.length);
  let best: number | null = null;
  for (const [rotation, count] of letters) if (count > (letters.get(best ?? -1) ?? 0)) best = rotation;
  return best ?? own;
}

function itemsOf(runs: readonly Run[], view: View, rotation: number, remaining: Budget): TextItem[] {
  const items: TextItem[] = [];
  for (const run of runs) {
    const isLong = run.text.length > MAX_RUN_CHARACTERS;
    const text = clean(isLong ? run.text.slice(0, MAX_RUN_CHARACTERS) : run.text);
    const isFull = remaining.items-- <= 0 || (remaining.characters -= text.length) < 0;
    remaining.incomplete ||= isLong || isFull;
    if (isFull) break;
    const { x, y } = at(view.matrix, run.origin.x, run.origin.y);
    const item: TextItem = { text, x: point(x), y: point(y), width: point(run.width), size: point(run.size) };
    if (run.rotation !== rotation) item.sideways = true;
    items.push(item);
  }
  return items;
}

/** Hundredths of a point are precise enough, and take half the space. */
function point(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}

/** Why a file has no text. */
export type UnopenedReason = 'broken' | 'encrypted' | 'memory' | 'no-text';

interface Unopened {
  ok: false;
  reason: UnopenedReason;
  /** The state of pdfium can't be trusted any more, so its process or page should be replaced. */
  spent: boolean;
}

/** Extracts the text of one file. Never rejects. */
export async function openText(pdf: Uint8Array): Promise<{ ok: true; text: LabelText } | Unopened> {
  try {
    const text = await extractText(pdf);
    const hasText = text.pages.some((page) => page.items.some((item) => item.text.trim() !== ''));
    return hasText ? { ok: true, text } : { ok: false, reason: 'no-text', spent: false };
  } catch (error) {
    return failureOf(error);
  }
}

export function failureOf(error: unknown): Unopened {
  if (error instanceof RefusedPdf)
    return { ok: false, reason: error.isEncrypted ? 'encrypted' : 'broken', spent: false };
  const message = error instanceof Error ? error.message : String(error);
  // pdfium aborts when it gets no memory.
  const memory = /abort|alloc|out of memory|array (buffer )?length|invalid string length|OOM/i.test(message);
  const spent = memory || error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
  return { ok: false, reason: memory ? 'memory' : 'broken', spent };
}

/**
 * Finds text that is invisible because something was painted over it. GM prints its price list again and again until it fits,
 * covers each attempt with a white rectangle, and leaves all of them in the file. Ford lays a picture over the whole foot of
 * the page, which is transparent except for the boxes that hide the addresses.
 */

/** An opaque rectangle on the page, or a picture. */
interface Cover {
  area: Area;
  /** The index of the object that it is. */
  drawn: number;
  /** Whether it is opaque at a point, if not everywhere. */
  hides?: (point: Point) => boolean;
}

/** Smaller rectangles are rules and frames. */
const MIN_SIZE_POINTS = 4;
const MAX_COVERS = 400;
/** What pdfium calls the color of a pattern, through which text may be visible. */
const PATTERN_GRAY = 191;
const EVERYWHERE: Area = { left: -Infinity, bottom: -Infinity, right: Infinity, top: Infinity };

/** Is the beginning of a run painted over later? */
const isCovered = ({ origin, drawn }: Run, covers: readonly Cover[]): boolean =>
  covers.some(
    ({ area, drawn: later, hides }) =>
      later > drawn && contains(area, origin) && (hides === undefined || hides(origin)),
  );

/** The rectangles that hide what was drawn before them. */
function coversOf(pdfium: Pdfium, objects: readonly PageObject[]): Cover[] {
  const covers: Cover[] = [];
  // What the clips of the forms around an object leave visible; null if they aren't rectangles.
  const clips: (Area | null)[] = [EVERYWHERE];
  for (const [drawn, object] of objects.entries()) {
    const outer = clips.at(-1)!;
    if (object.kind === 'begin form') clips.push(outer && clipped(pdfium, object, outer));
    if (object.kind === 'end form') clips.pop();
    if (object.kind !== 'path' || !outer || covers.length >= MAX_COVERS) continue;
    const area = opaqueRectangle(pdfium, object);
    const visible = area && clipped(pdfium, object, outer);
    const shared = visible && intersection(area, visible);
    if (shared) covers.push({ area: shared, drawn });
  }
  return covers;
}

function opaqueRectangle(pdfium: Pdfium, object: PageObject): Area | null {
  const { calls } = pdfium;
  const isLarge = ({ left, bottom, right, top }: Area): boolean =>
    right - left >= MIN_SIZE_POINTS && top - bottom >= MIN_SIZE_POINTS;
  if (!object.isOpaque || !isLarge(roughBounds(pdfium, object))) return null;
  if (calls.FPDFPath_CountSegments(object.handle) > 5) return null;
  const { isFilled, points, matrix } = pathOf(pdfium, object);
  const area = isFilled ? rectangleOf(points, matrix) : null;
  if (!area || !isLarge(area) || calls.FPDFPageObj_HasTransparency(object.handle)) return null;
  const [red, green, blue] = colorOf(pdfium, object.handle);
  return red === PATTERN_GRAY && green === PATTERN_GRAY && blue === PATTERN_GRAY ? null : area;
}

/** The part of an area that is inside an object's clip; null if the clip isn't a rectangle. */
function clipped(pdfium: Pdfium, { handle, form }: PageObject, area: Area): Area | null {
  const { calls } = pdfium;
  const clip = calls.FPDFPageObj_GetClipPath(handle);
  const count = clip ? calls.FPDFClipPath_CountPaths(clip) : 0;
  let visible: Area | null = area;
  for (let path = 0; path < count && visible; path++) {
    const points = pointsOf(pdfium, calls.FPDFClipPath_CountPathSegments(clip, path), (index) =>
      calls.FPDFClipPath_GetPathSegment(clip, path, index),
    );
    const rectangle = rectangleOf(points, form);
    visible = rectangle && intersection(rectangle, visible);
  }
  return visible;
}

/** Ford's has 3.7 million. */
const MAX_PIXELS = 6_000_000;
const MAX_SIDE_POINTS = 4_000;
/** Drawing one takes about as long as the rest of the page. */
const MAX_PICTURES = 3;
const UNIT_SQUARE: Area = { left: 0, bottom: 0, right: 1, top: 1 };
const BGRA = 4;
/** Less opaque, and text is visible through it. */
const MIN_ALPHA = 250;

/** The pictures that hide runs drawn before them. */
function coveringPictures(
  pdfium: Pdfium,
  file: Uint8Array,
  document: number,
  page: number,
  objects: readonly PageObject[],
  runs: readonly Run[],
): Cover[] {
  const covers: Cover[] = [];
  let drawings = 0;
  for (const [drawn, object] of objects.entries()) {
    if (object.kind !== 'picture' || !object.isOpaque || !isSmall(pdfium, object.handle)) continue;
    const matrix = matrixOf(pdfium, object.handle);
    const toPage = times(object.form, matrix);
    const area = transformed(toPage, UNIT_SQUARE);
    if (!runs.some((run) => run.drawn < drawn && contains(area, run.origin))) continue;
    if (drawings++ >= MAX_PICTURES) break;
    const masked = opacityOfMask(pdfium, file, object, toPage);
    const hides = masked === undefined ? opacityOfDrawing(pdfium, document, page, object, matrix) : masked;
    if (hides) covers.push({ area, drawn, hides });
  }
  return covers;
}

function isSmall({ calls, integers, scratch }: Pdfium, picture: number): boolean {
  if (!calls.FPDFImageObj_GetImagePixelSize(picture, scratch, scratch + 4)) return false;
  const [width = 0, height = 0] = integers();
  return width * height <= MAX_PIXELS;
}

/**
 * Where a picture is opaque; null if it is so everywhere: then it is a scan, and the text below it says what it shows.
 * Undefined if its mask isn't found, or isn't all that counts.
 */
function opacityOfMask(
  pdfium: Pdfium,
  file: Uint8Array,
  { handle }: PageObject,
  toPage: Matrix,
): Cover['hides'] | null {
  const toPicture = inverse(toPage);
  const mask =
    toPicture && !pdfium.calls.FPDFPageObj_HasTransparency(handle) && pictureMaskOf(pdfium, file, handle);
  if (!mask) return undefined;
  const { width, height, alphaAt } = mask;
  const isClear = (pixel: number): boolean => alphaAt(pixel % width, Math.floor(pixel / width)) < MIN_ALPHA;
  if (!hasAny(width * height, isClear)) return null;
  return (point: Point) => {
    const { x, y } = at(toPicture, point.x, point.y);
    const column = Math.min(Math.max(Math.floor(x * width), 0), width - 1);
    const row = Math.min(Math.max(Math.floor((1 - y) * height), 0), height - 1);
    return alphaAt(column, row) >= MIN_ALPHA;
  };
}

/** The same for any picture, by drawing it. */
function opacityOfDrawing(
  { calls, bytes }: Pdfium,
  document: number,
  page: number,
  { handle, form }: PageObject,
  matrix: Matrix,
): Cover['hides'] | null {
  const [scaleX, skewY, skewX, scaleY, x, y] = form;
  const box = transformed(matrix, UNIT_SQUARE);
  const isLarge = Math.max(box.right - box.left, box.top - box.bottom) > MAX_SIDE_POINTS;
  if (skewX !== 0 || skewY !== 0 || scaleX === 0 || scaleY === 0 || isLarge) return null;
  const bitmap = calls.FPDFImageObj_GetRenderedBitmap(document, page, handle);
  if (!bitmap) return null;
  const format = calls.FPDFBitmap_GetFormat(bitmap);
  const stride = calls.FPDFBitmap_GetStride(bitmap);
  const [width, height] = [calls.FPDFBitmap_GetWidth(bitmap), calls.FPDFBitmap_GetHeight(bitmap)];
  const pixels = bytes(calls.FPDFBitmap_GetBuffer(bitmap), stride * height).slice();
  calls.FPDFBitmap_Destroy(bitmap);
  if (format !== BGRA) return null;
  const isOpaque = (column: number, row: number): boolean =>
    pixels[row * stride + BGRA * column + BGRA - 1]! >= MIN_ALPHA;
  const isClear = (pixel: number): boolean => !isOpaque(pixel % width, Math.floor(pixel / width));
  if (!hasAny(width * height, isClear)) return null;
  return ({ x: pageX, y: pageY }: Point) => {
    // The bitmap is upright in the coordinates of the form that the picture is in, a pixel for each of its units.
    const [formX, formY] = [(pageX - x) / scaleX, (pageY - y) / scaleY];
    return isOpaque(
      Math.min(Math.max(Math.floor(formX - box.left), 0), width - 1),
      Math.min(Math.max(Math.floor(box.top - formY), 0), height - 1),
    );
  };
}

function hasAny(count: number, test: (index: number) => boolean): boolean {
  for (let index = 0; index < count; index++) if (test(index)) return true;
  return false;
}
