import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { TEXT_VERSION } from './text-version.ts';
import type { LabelText, TextItem } from './types.ts';

/**
 * The text of a PDF with positions, in content order. Runs only inside the reader's child process:
 * a hostile file may take all the memory and time it is given.
 */
export async function extractText(pdf: Uint8Array, maxPages = 4): Promise<LabelText> {
  const loading = getDocument({
    data: new Uint8Array(pdf),
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
  });
  try {
    const document = await loading.promise;
    const pages = [];
    for (let number = 1; number <= Math.min(document.numPages, maxPages); number++) {
      const page = await document.getPage(number);
      const view = page.getViewport({ scale: 1 });
      const content = await page.getTextContent({ includeMarkedContent: false });
      const items: TextItem[] = [];
      for (const item of content.items) {
        if (!('str' in item)) continue;
        const [x, y] = view.convertToViewportPoint(item.transform[4], item.transform[5]) as [number, number];
        const size = Math.hypot(item.transform[2], item.transform[3]);
        items.push({ text: item.str, x, y, width: item.width, size, ...(item.hasEOL ? { eol: true } : {}) });
      }
      pages.push({ width: view.width, height: view.height, items });
    }
    return { version: TEXT_VERSION, positioned: true, pages };
  } finally {
    await loading.destroy();
  }
}
