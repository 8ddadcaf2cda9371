import { deflateRawSync } from 'node:zlib';
import type { Drawing } from './child-messages.ts';
import { RefusedPdf, withDocument, withPage, type Pdfium } from '@monroney/label/pdf/pdfium';

// Longer or wider pages aren't labels and could need any number of pixels.
const MAX_ASPECT_RATIO = 4;
// Far more than any label. The service passes it on to the child that makes the picture.
const MAX_DRAWING_BYTES = 16 * 2 ** 20;

/** pdfium's format with four bytes per pixel, and its flags. */
const BGRA = 4;
const ANNOTATIONS = 0x01;
const SMOOTH_TEXT = 0x02;
const RED_FIRST = 0x10;
const WHITE = 0xffffffff;

/**
 * The first page, `width` pixels wide. Runs only inside the child process, as `extractText` does.
 * Only renders: forms are not filled in, and this build of pdfium has no JavaScript.
 */
export async function drawPage(pdf: Uint8Array, width: number): Promise<Drawing & { pixels: Buffer }> {
  const { data, height } = await withDocument(pdf, (pdfium, document) =>
    withPage(pdfium, document, 0, (page) => drawPixels(pdfium, page, width)),
  );
  // A label is mostly white, so that a tenth is left. Better compression takes longer than sending more.
  const pixels = deflateRawSync(data, { level: 1 });
  if (pixels.length > MAX_DRAWING_BYTES) throw new RefusedPdf('too much detail');
  return { width, height, pixels };
}

function drawPixels(
  { calls, bytes }: Pdfium,
  page: number,
  width: number,
): { data: Uint8Array; height: number } {
  const ratio = calls.FPDF_GetPageHeightF(page) / calls.FPDF_GetPageWidthF(page);
  if (!(ratio <= MAX_ASPECT_RATIO && ratio >= 1 / MAX_ASPECT_RATIO))
    throw new RefusedPdf('unusual page shape');
  const height = Math.max(1, Math.round(width * ratio));
  const stride = 4 * width;
  const pixels = calls.malloc(stride * height);
  if (pixels === 0) throw new Error('out of memory');
  const bitmap = calls.FPDFBitmap_CreateEx(width, height, BGRA, pixels, stride);
  calls.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  const flags = ANNOTATIONS | SMOOTH_TEXT | RED_FIRST;
  calls.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
  calls.FPDFBitmap_Destroy(bitmap);
  const data = bytes(pixels, stride * height).slice();
  calls.free(pixels);
  return { data, height };
}
