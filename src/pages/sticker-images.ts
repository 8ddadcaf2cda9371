import { hash } from 'node:crypto';
import { isVin } from '@monroney/vin';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { IMMUTABLE } from '../http/headers.ts';
import { withReading } from '../lookup/finding.ts';
import { withdrawnNote } from '../lookup/messages.ts';
import { PREVIEW_WIDTH, PREVIEW_WIDTHS } from '../pdf/pdf-workers.ts';
import { inMemorySingleFlight } from '../lib/single-flight.ts';
import { money } from '../lib/words.ts';
import { Busy } from '../lookup/derived-cache.ts';
import { readerVersionOf } from '../makers/read.ts';
import { viewOf } from './assets.ts';
import { sendError } from './send.ts';
import type { PageEnv, PageContext } from './page-context.ts';
import { cardOf } from './card/draw.ts';
import { bodyWords, carTitle, engineWords, plantWords } from './car-words.ts';
import { readNow } from './held.ts';

const WIDTHS: readonly number[] = PREVIEW_WIDTHS;

/** GET /window-sticker/{vin}/picture: the label's first page as an image, for the pages. */
export function picture(context: PageContext) {
  return async (c: Context<PageEnv>): Promise<Response> => {
    const vin = c.req.param('vin') ?? '';
    const width = Number(c.req.query('width') ?? PREVIEW_WIDTH);
    const notFound = () =>
      sendError(c, context, { reason: 'not-found', detail: 'There is no sticker picture at this URL.' });
    if (!isVin(vin) || !WIDTHS.includes(width)) return notFound();
    const result = await context.lookup.find(vin, { sticker: false });
    const { finding } = result;
    if (finding.state === 'withdrawn')
      return sendError(c, context, { reason: 'withdrawn', detail: withdrawnNote(result), vin });
    if (finding.state !== 'held') return notFound();
    const headers = {
      'Content-Type': 'image/webp',
      'Cache-Control': IMMUTABLE,
      ETag: `"${finding.label.sha256}-${width}"`,
      // Search engines show it: it is the `image` of the page's JSON-LD.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Content-Security-Policy': "default-src 'none'",
      'X-Robots-Tag': 'noindex',
    };
    if (c.req.header('if-none-match')?.includes(headers.ETag))
      return new Response(null, { status: 304, headers });
    const webp = await context.lookup.preview(finding.label, width);
    return webp ? new Response(viewOf(webp), { headers }) : notFound();
  };
}

const PICTURE_WIDTH = 1280;
const CACHE_BYTES = 8 * 1024 * 1024;
const DAY = 'public, max-age=86400';
/** Shorter, because a sticker may be found later. */
const HOUR = 'public, max-age=3600';

interface Preview {
  png: Buffer;
  /** False if the next drawing may be better. */
  final: boolean;
}

/** GET /window-sticker/{vin}/preview.png: the card in link previews. PNG, because many don't show WebP. */
export function linkPreview(context: PageContext) {
  const cache = new LRUCache<string, Preview>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ png }) => png.length,
  });

  // A card takes a worker up to half a second, and a link in a chat is opened by many at once.
  const drawing = inMemorySingleFlight();

  async function draw(vin: string): Promise<Preview | null> {
    const found = await context.lookup.find(vin, { sticker: false });
    const { finding, decoded } = found;
    const held = finding.state === 'held' ? finding.label : null;
    const key = held ? `${vin} ${held.sha256} ${readerVersionOf(held.make)}` : vin;
    const cached = cache.get(key);
    if (cached) return cached;
    const reading = held && (await readNow(context, held));
    const picture = held && (await context.lookup.preview(held, PICTURE_WIDTH).catch(nullIfBusy));
    const total = reading?.label?.prices.total;
    const { vehicle } = decoded;
    const card = cardOf({
      name: carTitle(withReading(found, reading)),
      vin,
      total: total ? money(total) : null,
      facts: vehicle
        ? [engineWords(vehicle), bodyWords(vehicle), plantWords(vehicle)].filter(Boolean).join(' · ')
        : '',
      hasPicture: picture !== null,
    });
    const png = await context.lookup.card(card, picture);
    if (!png) return null;
    const preview = { png, final: picture !== null && reading?.reason !== 'timeout' };
    if (preview.final || !held) cache.set(key, preview);
    return preview;
  }

  return async (c: Context): Promise<Response> => {
    const vin = c.req.param('vin') ?? '';
    const preview = isVin(vin) ? await drawing.once(vin, () => draw(vin)) : null;
    if (!preview)
      return sendError(c, context, {
        reason: 'not-found',
        detail: 'There is no preview picture at this URL.',
      });
    const { png, final } = preview;
    return new Response(viewOf(png), {
      headers: {
        'Content-Type': 'image/png',
        'Content-Length': String(png.length),
        'Cache-Control': final ? DAY : HOUR,
        ETag: `"${hash('sha256', png, 'hex').slice(0, 32)}"`,
        // Other sites show it.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Content-Security-Policy': "default-src 'none'",
        'X-Robots-Tag': 'noindex',
      },
    });
  };
}

/** A card without the sticker's picture is better than none. */
function nullIfBusy(error: unknown): null {
  if (error instanceof Busy) return null;
  throw error;
}
