import { contains, intersection, type Area, type Point } from './geometry.ts';
import { colorOf, type PageObject } from './page-objects.ts';
import { pathOf, pointsOf, rectangleOf, roughBounds } from './paths.ts';
import type { Pdfium } from './pdfium.ts';
import type { Run } from './runs.ts';

/**
 * Finds text that is invisible because a filled rectangle was painted over it. GM prints its price list again and again until
 * it fits, covers each attempt with a white rectangle, and leaves all of them in the file.
 */

/** An opaque rectangle on the page, or a picture. */
export interface Cover {
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
export const isCovered = ({ origin, drawn }: Run, covers: readonly Cover[]): boolean =>
  covers.some(
    ({ area, drawn: later, hides }) =>
      later > drawn && contains(area, origin) && (hides === undefined || hides(origin)),
  );

/** The rectangles that hide what was drawn before them. */
export function coversOf(pdfium: Pdfium, objects: readonly PageObject[]): Cover[] {
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
