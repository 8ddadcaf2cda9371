import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { clean } from '../reading/clean.ts';
import { TEXT_VERSION } from '../reading/text-version.ts';
import type { LabelText, Shape, TextItem, TextPage } from '../reading/types.ts';
import { coveredText } from './covered.ts';
import { MAX_PIXELS, type Raster } from './picture-ink.ts';
import { shapesOf, type Operators } from './shapes.ts';

// A label is one page of about a thousand runs; what lies beyond these is no label and must not fill the store.
const maxPages = 4;
const maxItems = 20_000;
const maxCharacters = 400_000;
const maxRun = 2_000;

/**
 * The text of a PDF that can be seen, with positions, turned so that it runs from left to right. Runs only inside the reader's child process:
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
      const found = items.filter((item) => 'str' in item);
      const rotation = uprightOf(found, page.rotate);
      const view = page.getViewport({ scale: 1, rotation });
      const turn = (((page.rotate - rotation) % 360) + 360) % 360;
      const operators = hasFederalBox(found) ? await operatorsOf(page) : null;
      const shapes = operators ? drawn(operators, page, view) : [];
      pages.push({
        width: point(view.width),
        height: point(view.height),
        ...(turn ? { turn } : {}),
        items: runs(operators ? visible(operators, found) : found, view, rotation, room),
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
 * The rotation under which most of the text runs from left to right. It need not be the page's own /Rotate:
 * a label on its side is still a label.
 */
function uprightOf(items: readonly Run[], own: number): number {
  const letters = new Map<number, number>();
  for (const run of items) {
    const rotation = directionOf(run);
    letters.set(rotation, (letters.get(rotation) ?? 0) + run.str.length);
  }
  let most: number | null = null;
  for (const [rotation, count] of letters) if (count > (letters.get(most ?? -1) ?? 0)) most = rotation;
  return most ?? own;
}

/** The rotation that makes a run upright, to a quarter. */
function directionOf({ transform: [a = 0, b = 0] }: Run): number {
  return (((Math.round(Math.atan2(b, a) / (Math.PI / 2)) * 90) % 360) + 360) % 360;
}

const FEDERAL_BOX = /fuel economy|safety ratings|air resources|not rated|carburant|\bMSRP\b|retail price/i;

/** Following every path costs as much as the text: only labels, whose boxes draw their ratings, are worth it. */
function hasFederalBox(items: readonly Run[]): boolean {
  return items.some((run) => FEDERAL_BOX.test(run.str.slice(0, maxRun)));
}

interface Page {
  getOperatorList(): Promise<Operators>;
  objs: { has(name: string): boolean; get(name: string): unknown };
}

/** Text counts without its drawing: of a page whose drawing breaks, nothing is known to be drawn or hidden. */
async function operatorsOf(page: Page): Promise<Operators | null> {
  try {
    return await page.getOperatorList();
  } catch {
    return null;
  }
}

function drawn(operators: Operators, page: Page, view: View): Shape[] {
  try {
    return shapesOf(operators, view, (name) =>
      page.objs.has(name) ? (page.objs.get(name) as Raster | null) : null,
    );
  } catch {
    return [];
  }
}

/** Without what is painted over. */
function visible(operators: Operators, items: Run[]): Run[] {
  try {
    const begins = items.map(({ str, transform: [, , , , x = 0, y = 0] }) => ({
      x,
      y,
      blank: str.trim() === '',
    }));
    const covered = coveredText(operators, begins);
    return items.filter((_, at) => !covered[at]);
  } catch {
    return items;
  }
}

function runs(
  found: readonly Run[],
  view: View,
  rotation: number,
  room: { items: number; characters: number },
): TextItem[] {
  const items: TextItem[] = [];
  for (const run of found) {
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
    if (directionOf(run) !== rotation) item.sideways = true;
    items.push(item);
  }
  return items;
}

/** Hundredths of a point are finer than any label is set, and half as long to keep. */
function point(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}
