import { isVin } from '@monroney/vin';
import { hash } from 'node:crypto';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { money } from '../lib/money.ts';
import { Busy } from '../lookup/derived-cache.ts';
import { readerVersionOf } from '../makers/read.ts';
import { cardOf } from './card/draw.ts';
import { bodyWords, carTitle, engineWords, plantWords } from './car-words.ts';
import { sendError } from './errors.ts';
import { readNow } from './held.ts';
import type { PageParts } from './parts.ts';

const DRAWN_WIDTH = 1280;
const KEPT_BYTES = 8 * 1024 * 1024;
const DAY = 'public, max-age=86400';
/** A sticker may be found later. */
const HOUR = 'public, max-age=3600';

interface Kept {
  png: Buffer;
  lasting: boolean;
}

/** GET /window-sticker/{vin}/preview.png: a card for link previews, many of which take no WebP. */
export function linkPreview(parts: PageParts) {
  const kept = new LRUCache<string, Kept>({ maxSize: KEPT_BYTES, sizeCalculation: ({ png }) => png.length });

  async function draw(vin: string): Promise<Kept | null> {
    const { finding, decoded } = await parts.lookup.find(vin, { sticker: false });
    const held = finding.state === 'held' ? finding.label : null;
    const key = held ? `${vin} ${held.sha256} ${readerVersionOf(held.make)}` : vin;
    const before = kept.get(key);
    if (before) return before;
    const reading = held && (await readNow(parts, held));
    const picture = held && (await parts.lookup.preview(held, DRAWN_WIDTH).catch(withoutPicture));
    const total = reading?.label?.prices.total;
    const { vehicle } = decoded;
    const card = cardOf({
      name: carTitle(vehicle),
      vin,
      total: total ? money(total) : null,
      facts: vehicle
        ? [engineWords(vehicle), bodyWords(vehicle), plantWords(vehicle)].filter(Boolean).join(' · ')
        : '',
      hasPicture: picture !== null,
    });
    const png = await parts.lookup.card(card, picture);
    if (!png) return null;
    const made = { png, lasting: picture !== null && reading?.reason !== 'timeout' };
    if (made.lasting || !held) kept.set(key, made);
    return made;
  }

  return async (c: Context): Promise<Response> => {
    const vin = c.req.param('vin') ?? '';
    const card = isVin(vin) ? await draw(vin) : null;
    if (!card)
      return sendError(c, parts, { reason: 'not-found', detail: 'There is no preview picture at this URL.' });
    const { png, lasting } = card;
    return new Response(new Uint8Array(png), {
      headers: {
        'Content-Type': 'image/png',
        'Content-Length': String(png.length),
        'Cache-Control': lasting ? DAY : HOUR,
        ETag: `"${hash('sha256', png, 'hex').slice(0, 32)}"`,
        // Pages elsewhere show it.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Content-Security-Policy': "default-src 'none'",
        'X-Robots-Tag': 'noindex',
      },
    });
  };
}

/** A card without its sticker beats none. */
function withoutPicture(error: unknown): null {
  if (error instanceof Busy) return null;
  throw error;
}
