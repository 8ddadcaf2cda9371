import { inflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import type { CardJob, PictureJob } from './channel.ts';

// The memory limit is for the picture, not for the threads and caches of libvips.
sharp.concurrency(1);
sharp.cache(false);

/** Makes a picture. Runs in a child that never opens a PDF: sharp is native code, and a PDF comes from outside. */
export async function makePicture(job: PictureJob, body: Uint8Array | undefined): Promise<Buffer> {
  if ('card' in job) return drawCard(job.card, body);
  const { width, height } = job.webp;
  const pixels = inflateRawSync(body ?? '', { maxOutputLength: 4 * width * height });
  const raw = { width, height, channels: 4 } as const;
  return sharp(pixels, { raw }).removeAlpha().webp({ quality: 82, effort: 2 }).toBuffer();
}

/** The card as PNG, with the labels' pictures, if there are any. */
async function drawCard(
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
