import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';
import type { Card } from './child-messages.ts';

// The memory limit is for the picture, not for the threads and caches of libvips.
sharp.concurrency(1);
sharp.cache(false);

// Longer or wider pages aren't labels and could need any number of pixels.
const MAX_ASPECT_RATIO = 4;

const pdfium = PDFiumLibrary.init();

/**
 * The first page as a WebP picture of `width` pixels. Runs only inside the child process, as `extractText` does.
 * Only renders: forms are not filled in, and this build of pdfium has no JavaScript.
 */
export async function drawPreview(pdf: Uint8Array, width: number): Promise<Buffer> {
  const library = await pdfium;
  const document = await library.loadDocument(pdf);
  try {
    const page = document.getPage(0);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const ratio = originalHeight / originalWidth;
    if (!(ratio <= MAX_ASPECT_RATIO && ratio >= 1 / MAX_ASPECT_RATIO)) throw new Error('unusual page shape');
    const picture = await page.render({
      width,
      height: Math.max(1, Math.round(width * ratio)),
      render: 'bitmap',
    });
    const raw = { width: picture.width, height: picture.height, channels: 4 } as const;
    return await sharp(picture.data, { raw }).removeAlpha().webp({ quality: 82, effort: 2 }).toBuffer();
  } finally {
    document.destroy();
  }
}

/** The card as PNG, with the label's picture if there is one. */
export async function drawCard({ svg, sticker }: Card, picture: Uint8Array | undefined): Promise<Buffer> {
  const card = sharp(Buffer.from(svg));
  const { width, height } = await card.metadata();
  const space = { width: width - sticker.left, height: height - sticker.top };
  const cropped = picture && (await cropToSpace(picture, sticker.width, space));
  return card
    .composite(cropped ? [{ input: cropped, left: sticker.left, top: sticker.top }] : [])
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
