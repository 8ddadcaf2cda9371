import sharp from 'sharp';
import type { CardJob } from './child-messages.ts';
import { RefusedPdf, withDocument, withPage, type Pdfium } from './pdfium.ts';

// The memory limit is for the picture, not for the threads and caches of libvips.
sharp.concurrency(1);
sharp.cache(false);

// Longer or wider pages aren't labels and could need any number of pixels.
const MAX_ASPECT_RATIO = 4;

/** pdfium's format with four bytes per pixel, and its flags. */
const BGRA = 4;
const ANNOTATIONS = 0x01;
const SMOOTH_TEXT = 0x02;
const RED_FIRST = 0x10;
const WHITE = 0xffffffff;

/**
 * The first page as a WebP picture of `width` pixels. Runs only inside the child process, as `extractText` does.
 * Only renders: forms are not filled in, and this build of pdfium has no JavaScript.
 */
export async function drawPreview(pdf: Uint8Array, width: number): Promise<Buffer> {
  const { data, height } = await withDocument(pdf, (pdfium, document) =>
    withPage(pdfium, document, 0, (page) => drawPage(pdfium, page, width)),
  );
  const raw = { width, height, channels: 4 } as const;
  return sharp(data, { raw }).removeAlpha().webp({ quality: 82, effort: 2 }).toBuffer();
}

function drawPage(
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

/** The card as PNG, with the labels' pictures, if there are any. */
export async function drawCard(
  { svg, stickers, lengths }: CardJob,
  pictures: Uint8Array = new Uint8Array(),
): Promise<Buffer> {
  const card = sharp(Buffer.from(svg));
  const { width, height } = await card.metadata();
  let start = 0;
  const placed = stickers.map(async (sticker, index) => {
    const picture = pictures.subarray(start, (start += lengths[index]!));
    const space = { width: width - sticker.left, height: height - sticker.top };
    return {
      input: await cropToSpace(picture, sticker.width, space),
      left: sticker.left,
      top: sticker.top,
    };
  });
  return card
    .composite(await Promise.all(placed))
    .removeAlpha()
    .png({ palette: true, colours: 64, effort: 3 })
    .toBuffer();
}

async function cropToSpace(
  picture: Uint8Array,
  scaledWidth: number,
  space: { width: number; height: number },
): Promise<Buffer> {
  const scaled = await sharp(picture).resize({ width: scaledWidth }).toBuffer({ resolveWithObject: true });
  return sharp(scaled.data)
    .extract({
      left: 0,
      top: 0,
      width: Math.min(space.width, scaled.info.width),
      height: Math.min(space.height, scaled.info.height),
    })
    .toBuffer();
}
