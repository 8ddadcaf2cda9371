import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';
import type { Card } from './child-talk.ts';

// One file at a time and no second thoughts: the ceiling must hold the picture, not libvips' caches.
sharp.concurrency(1);
sharp.cache(false);

// Pages far from the shape of a sheet of paper are no label and could ask for any amount of pixels.
const slimmest = 4;

const drawing = PDFiumLibrary.init();

/**
 * The first page as a WebP picture of `width` pixels. Runs only inside the child process, as `extractText` does.
 * Only draws: forms are not filled in and this build of pdfium knows no JavaScript.
 */
export async function drawPreview(pdf: Uint8Array, width: number): Promise<Buffer> {
  const library = await drawing;
  const document = await library.loadDocument(pdf);
  try {
    const page = document.getPage(0);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const ratio = originalHeight / originalWidth;
    if (!(ratio <= slimmest && ratio >= 1 / slimmest)) throw new Error('no sheet of paper');
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

/** A card as PNG, with our own drawing of a label on it if there is one. */
export async function drawCard({ svg, sticker }: Card, picture: Uint8Array | undefined): Promise<Buffer> {
  const card = sharp(Buffer.from(svg));
  const { width, height } = await card.metadata();
  const space = { width: width - sticker.left, height: height - sticker.top };
  const top = picture && (await topOf(picture, sticker.width, space));
  return card
    .composite(top ? [{ input: top, left: sticker.left, top: sticker.top }] : [])
    .removeAlpha()
    .png({ palette: true, colours: 64, effort: 3 })
    .toBuffer();
}

async function topOf(
  picture: Uint8Array,
  scaledTo: number,
  space: { width: number; height: number },
): Promise<Buffer> {
  const scaled = await sharp(picture).resize({ width: scaledTo }).toBuffer({ resolveWithObject: true });
  return sharp(scaled.data)
    .extract({
      left: 0,
      top: 0,
      width: Math.min(space.width, scaled.info.width),
      height: Math.min(space.height, scaled.info.height),
    })
    .toBuffer();
}
