import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { clean } from '../reading/clean.ts';
import { TEXT_VERSION } from '../reading/text-version.ts';
import type { LabelText, TextItem, TextPage } from '../reading/types.ts';

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
  });
  try {
    const document = await loading.promise;
    const pages: TextPage[] = [];
    const room = { items: maxItems, characters: maxCharacters };
    for (let number = 1; number <= Math.min(document.numPages, maxPages); number++) {
      const page = await document.getPage(number);
      const view = page.getViewport({ scale: 1 });
      const { items } = await page.getTextContent({ includeMarkedContent: false });
      pages.push({ width: point(view.width), height: point(view.height), items: runs(items, view, room) });
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
