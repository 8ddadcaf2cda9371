import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { clean, TEXT_VERSION } from '../reading/extracted-text.ts';
import type { LabelText, Shape, TextItem, TextPage } from '../reading/types.ts';
import { coveredText } from './covered-text.ts';
import { takeDrawings, withDrawings } from './drawings.ts';
import { MAX_PIXELS, type Raster } from './rating-scale.ts';
import { shapesOf, type Operators } from './shapes.ts';

// A label is one page of about a thousand text runs. Larger files aren't labels and must not fill the store.
const MAX_PAGES = 4;
const MAX_ITEMS = 20_000;
const MAX_CHARACTERS = 400_000;
const MAX_RUN_CHARACTERS = 2_000;

/**
 * Makes pdf.js believe that a browser loads the fonts. Otherwise it computes the outline of every character, although nothing is
 * rendered here.
 */
const FONT_DOCUMENT = { fonts: { add: () => {}, delete: () => {} } } as unknown as HTMLDocument;
Object.assign(globalThis, {
  FontFace: class {
    readonly loaded = Promise.resolve();
  },
});

/**
 * The visible text of a PDF with positions, rotated so that it runs from left to right. Runs only in a child process: a
 * hostile file may use all the memory and time that it gets.
 */
export async function extractText(pdf: Uint8Array): Promise<LabelText> {
  // A copy, because pdf.js keeps what it gets.
  const data = new Uint8Array(pdf);
  const drawings = takeDrawings(Buffer.from(data.buffer));
  const loading = getDocument({
    data,
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
    ownerDocument: FONT_DOCUMENT,
    disableFontFace: false,
    stopAtErrors: false,
    enableXfa: false,
    useWasm: false,
    // Photographs and backgrounds take most of the time and contain no data.
    maxImageSize: MAX_PIXELS,
  });
  try {
    const document = await loading.promise;
    const pages: TextPage[] = [];
    const remaining = {
      items: MAX_ITEMS,
      characters: MAX_CHARACTERS,
      incomplete: document.numPages > MAX_PAGES,
    };
    for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent({ includeMarkedContent: false });
      const textRuns = items.filter((item) => 'str' in item);
      const rotation = uprightOf(textRuns, page.rotate);
      const view = page.getViewport({ scale: 1, rotation });
      const turn = (((page.rotate - rotation) % 360) + 360) % 360;
      const operators = hasFederalBox(textRuns) ? await operatorsOf(page, drawings) : null;
      const shapes = operators ? shapesOn(operators, page, view) : [];
      pages.push({
        width: point(view.width),
        height: point(view.height),
        ...(turn ? { turn } : {}),
        items: runs(operators ? visible(operators, textRuns) : textRuns, view, rotation, remaining),
        ...(shapes.length > 0 ? { shapes } : {}),
      });
      page.cleanup();
    }
    const { incomplete } = remaining;
    return { version: TEXT_VERSION, positioned: true, pages, ...(incomplete ? { incomplete } : {}) };
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
 * The rotation in which most of the text runs from left to right. It may differ from the page's /Rotate: some labels are
 * printed sideways.
 */
function uprightOf(items: readonly Run[], own: number): number {
  const letters = new Map<number, number>();
  for (const run of items) {
    const rotation = directionOf(run);
    letters.set(rotation, (letters.get(rotation) ?? 0) + run.str.length);
  }
  let best: number | null = null;
  for (const [rotation, count] of letters) if (count > (letters.get(best ?? -1) ?? 0)) best = rotation;
  return best ?? own;
}

/** The rotation that makes a run upright, in steps of 90 degrees. */
function directionOf({ transform: [a = 0, b = 0] }: Run): number {
  return (((Math.round(Math.atan2(b, a) / (Math.PI / 2)) * 90) % 360) + 360) % 360;
}

const FEDERAL_BOX = /fuel economy|safety ratings|air resources|not rated|carburant|\bMSRP\b|retail price/i;

/** Reading the paths takes as long as reading the text, so we do it only for labels, whose boxes draw their ratings. */
function hasFederalBox(items: readonly Run[]): boolean {
  return items.some((run) => FEDERAL_BOX.test(run.str.slice(0, MAX_RUN_CHARACTERS)));
}

interface Page {
  getOperatorList(): Promise<Operators>;
  objs: { has(name: string): boolean; get(name: string): unknown };
}

/** Null if the page's content is broken: we still use its text, without shapes and without checking what is covered. */
async function operatorsOf(page: Page, drawings: readonly Operators[]): Promise<Operators | null> {
  try {
    return withDrawings(await page.getOperatorList(), drawings);
  } catch {
    return null;
  }
}

function shapesOn(operators: Operators, page: Page, view: View): Shape[] {
  try {
    return shapesOf(operators, view, (name) =>
      page.objs.has(name) ? (page.objs.get(name) as Raster | null) : null,
    );
  } catch {
    return [];
  }
}

/** The text that isn't painted over. */
function visible(operators: Operators, items: Run[]): Run[] {
  try {
    const origins = items.map(({ str, transform: [, , , , x = 0, y = 0] }) => ({
      x,
      y,
      blank: str.trim() === '',
    }));
    const covered = coveredText(operators, origins);
    return items.filter((_, index) => !covered[index]);
  } catch {
    return items;
  }
}

function runs(
  visibleRuns: readonly Run[],
  view: View,
  rotation: number,
  remaining: { items: number; characters: number; incomplete: boolean },
): TextItem[] {
  const items: TextItem[] = [];
  for (const run of visibleRuns) {
    const isLong = run.str.length > MAX_RUN_CHARACTERS;
    const text = clean(isLong ? run.str.slice(0, MAX_RUN_CHARACTERS) : run.str);
    const isFull = remaining.items-- <= 0 || (remaining.characters -= text.length) < 0;
    remaining.incomplete ||= isLong || isFull;
    if (isFull) break;
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
    if (directionOf(run) !== rotation) item.sideways = true;
    items.push(item);
  }
  return items;
}

/** Hundredths of a point are precise enough, and take half the space. */
function point(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}
