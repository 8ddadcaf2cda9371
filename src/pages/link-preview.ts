import { isVin } from '@monroney/vin';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { IMMUTABLE } from '../http/headers.ts';
import { sendError } from './errors.ts';
import type { PageParts } from './parts.ts';

/** What messengers and social sites show whole. */
export const PREVIEW = { width: 1200, height: 630 };
const DRAWN_WIDTH = 1280;
const KEPT_BYTES = 8 * 1024 * 1024;

/** GET /window-sticker/{vin}/preview.png: the top of the sticker for link previews, many of which take no WebP. */
export function linkPreview(parts: PageParts) {
  const kept = new LRUCache<string, Buffer>({ maxSize: KEPT_BYTES, sizeCalculation: (png) => png.length });
  return async (c: Context): Promise<Response> => {
    const vin = c.req.param('vin') ?? '';
    const nothing = () =>
      sendError(c, parts, { reason: 'not-found', detail: 'There is no preview picture at this URL.' });
    if (!isVin(vin)) return nothing();
    const { finding } = await parts.lookup.find(vin, { sticker: false });
    if (finding.state !== 'held') return nothing();
    const { label } = finding;
    let png = kept.get(label.sha256);
    if (!png) {
      const webp = await parts.lookup.preview(label, DRAWN_WIDTH);
      if (!webp) return nothing();
      png = await topOf(webp);
      kept.set(label.sha256, png);
    }
    return new Response(new Uint8Array(png), {
      headers: {
        'Content-Type': 'image/png',
        'Content-Length': String(png.length),
        'Cache-Control': IMMUTABLE,
        ETag: `"${label.sha256}-png"`,
        // Pages elsewhere show it.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Content-Security-Policy': "default-src 'none'",
        'X-Robots-Tag': 'noindex',
      },
    });
  };
}

/** The picture is our own drawing, so it is safe to open here. Sharp is loaded with the first preview, not at start. */
async function topOf(webp: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(webp)
    .resize({ ...PREVIEW, fit: 'cover', position: 'top' })
    .png({ palette: true, colours: 64, effort: 3 })
    .toBuffer();
}
