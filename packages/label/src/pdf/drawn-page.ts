import { RefusedPdf, withDocument, withPage, type Pdfium } from './pdfium.ts';

// Longer or wider pages aren't labels and could need any number of pixels.
const MAX_ASPECT_RATIO = 4;

/** pdfium's format with four bytes per pixel, and its flags. */
const BGRA = 4;
const ANNOTATIONS = 0x01;
const SMOOTH_TEXT = 0x02;
const RED_FIRST = 0x10;
const WHITE = 0xffffffff;

export interface Pixels {
  height: number;
  /** Red, green, blue and alpha of each pixel. */
  data: Uint8ClampedArray<ArrayBuffer>;
}

/**
 * The first page, `width` pixels wide. Only renders: forms are not filled in, and this build of pdfium has no JavaScript.
 * As with `extractText`, a hostile file may use all the memory and time that it gets.
 */
export function drawPage(pdf: Uint8Array, width: number): Promise<Pixels> {
  return withDocument(pdf, (pdfium, document) =>
    withPage(pdfium, document, 0, (page) => drawPixels(pdfium, page, width)),
  );
}

function drawPixels({ calls, bytes }: Pdfium, page: number, width: number): Pixels {
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
  const data = new Uint8ClampedArray(bytes(pixels, stride * height));
  calls.free(pixels);
  return { height, data };
}
