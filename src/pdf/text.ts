import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { clean } from '../reading/clean.ts';
import { TEXT_VERSION } from '../reading/text-version.ts';
import type { LabelText, Shape, TextItem, TextPage } from '../reading/types.ts';
import { MAX_PIXELS, type Raster } from './picture-ink.ts';
import { shapesOf, type Operators } from './shapes.ts';

// A label is one page of about a thousand runs; what lies beyond these is no label and must not fill the store.
const maxPages = 4;
const maxItems = 20_000;
const maxCharacters = 400_000;
const maxRun = 2_000;

/**
 * The text of a PDF with positions, in content order. Runs only inside the reader's child process:
 * a hostile file may take all the memory and time it is given.
 */
export async function extractText(pdf: Uint8Array): Promise<LabelText> {
  const loading = getDocument({
    data: new Uint8Array(pdf),
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    enableXfa: false,
    useWasm: false,
    // Photographs and backgrounds cost most of the time and say nothing.
    maxImageSize: MAX_PIXELS,
  });
  try {
    const document = await loading.promise;
    const pages: TextPage[] = [];
    const room = { items: maxItems, characters: maxCharacters };
    for (let number = 1; number <= Math.min(document.numPages, maxPages); number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent({ includeMarkedContent: false });
      const view = page.getViewport({ scale: 1, rotation: uprightOf(items, page.rotate) });
      const shapes = hasFederalBox(items) ? await drawn(page, view) : [];
      pages.push({
        width: point(view.width),
        height: point(view.height),
        items: runs(items, view, room),
        ...(shapes.length > 0 ? { shapes } : {}),
      });
      page.cleanup();
    }
    return { version: TEXT_VERSION, positioned: true, pages };
  } finally {
    await loading.destroy();
  }
}

interface Run {
  str: string;
  transform: number[];
  width: number;
  hasEOL: boolean;
}

interface View {
  convertToViewportPoint(x: number, y: number): number[];
}

/**
 * The rotation under which most of the text runs from left to right. A page's own /Rotate need not be it:
 * labels turned for a screen are the same labels.
 */
function uprightOf(items: readonly (Run | object)[], fallback: number): number {
  const letters = new Map<number, number>();
  for (const run of items) {
    if (!('str' in run)) continue;
    const [a = 0, b = 0] = run.transform;
    const quarter = Math.round(Math.atan2(b, a) / (Math.PI / 2));
    const rotation = (((quarter * 90) % 360) + 360) % 360;
    letters.set(rotation, (letters.get(rotation) ?? 0) + run.str.length);
  }
  const [most] = [...letters].toSorted(([, one], [, other]) => other - one);
  return most ? most[0] : fallback;
}

const FEDERAL_BOX = /fuel economy|safety ratings|air resources|not rated|carburant|\bMSRP\b|retail price/i;

/** Following every path costs as much as the text: only labels, whose boxes draw their ratings, are worth it. */
function hasFederalBox(items: readonly (Run | object)[]): boolean {
  return items.some((run) => 'str' in run && FEDERAL_BOX.test(run.str.slice(0, maxRun)));
}

interface Page {
  getOperatorList(): Promise<Operators>;
  objs: { has(name: string): boolean; get(name: string): unknown };
}

/** Text counts without its drawing: a page whose drawing breaks has no shapes. */
async function drawn(page: Page, view: View): Promise<Shape[]> {
  try {
    return shapesOf(await page.getOperatorList(), view, (name) =>
      page.objs.has(name) ? (page.objs.get(name) as Raster | null) : null,
    );
  } catch {
    return [];
  }
}

function runs(
  found: readonly (Run | object)[],
  view: View,
  room: { items: number; characters: number },
): TextItem[] {
  const items: TextItem[] = [];
  for (const run of found) {
    if (!('str' in run)) continue;
    const text = clean(run.str.length > maxRun ? run.str.slice(0, maxRun) : run.str);
    if (room.items-- <= 0 || (room.characters -= text.length) < 0) break;
    const [, , c = 0, d = 0, e = 0, f = 0] = run.transform;
    const [x = 0, y = 0] = view.convertToViewportPoint(e, f);
    const item: TextItem = {
      text,
      x: point(x),
      y: point(y),
      width: point(run.width),
      size: point(Math.hypot(c, d)),
    };
    if (run.hasEOL) item.eol = true;
    items.push(item);
  }
  return items;
}

/** Hundredths of a point are finer than any label is set, and half as long to keep. */
function point(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}
