import { clean, TEXT_VERSION } from '../reading/extracted-text.ts';
import type { LabelText, TextItem, TextPage } from '../reading/types.ts';
import { coveringPictures, coversOf, isCovered } from './covered-text.ts';
import { at, viewOf, type Area, type View, objectsOf } from './page-objects.ts';
import { glyphsOf, runsOf, type Run } from './runs.ts';
import { RefusedPdf, withDocument, withPage, type Pdfium } from './pdfium.ts';
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
