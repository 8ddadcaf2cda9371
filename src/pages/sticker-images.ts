import { hash } from 'node:crypto';
import { isVin } from '@monroney/vin';
import type { FastifyRequest } from 'fastify';
import { IMMUTABLE } from '../http/headers.ts';
import type { Answer } from '../http/problems.ts';
import type { HeaderFields } from '../http/response.ts';
import { withReading } from '../lookup/finding.ts';
import { withdrawnNote } from '../lookup/messages.ts';
import { PREVIEW_WIDTH, PREVIEW_WIDTHS } from '../pdf/pdf-workers.ts';
import { inMemorySingleFlight } from '../lib/single-flight.ts';
import { money } from '../lib/words.ts';
import { Busy } from '../lookup/derived-cache.ts';
import { readerVersionOf } from '../makers/read.ts';
import { paramOf, queryOf, type PageContext, type PageHandler } from './page-context.ts';
import { cardOf } from './card/draw.ts';
import { bodyWords, carTitle, engineWords, plantWords } from './car-words.ts';
import { readNow } from './held.ts';

const WIDTHS: readonly number[] = PREVIEW_WIDTHS;

/** GET /window-sticker/{vin}/picture: the label's first page as an image, for the pages. */
export function picture(context: PageContext): PageHandler {
  const notFound: Answer = { reason: 'not-found', detail: 'There is no sticker picture at this URL.' };
  return async (request) => {
    const vin = paramOf(request, 'vin');
    const width = Number(queryOf(request, 'width') ?? PREVIEW_WIDTH);
    if (!isVin(vin) || !WIDTHS.includes(width)) return notFound;
    const result = await context.lookup.find(vin, { sticker: false });
    const { finding } = result;
    if (finding.state === 'withdrawn') return { reason: 'withdrawn', detail: withdrawnNote(result), vin };
    if (finding.state !== 'held') return notFound;
    // Search engines show it: it is the `image` of the page's JSON-LD.
    const headers = {
      ...sharedImage(request, 'image/webp', IMMUTABLE),
      etag: `"${finding.label.sha256}-${width}"`,
    };
    if (request.headers['if-none-match']?.includes(headers.etag)) return { status: 304, headers, body: null };
    const webp = await context.lookup.preview(finding.label, width);
    return webp ? { status: 200, headers, body: webp } : notFound;
  };
}

const PICTURE_WIDTH = 1280;
const DAY = 'public, max-age=86400';
/** Shorter, because a sticker may be found later. */
const HOUR = 'public, max-age=3600';

interface Preview {
  png: Buffer;
  /** False if the next drawing may be better. */
  final: boolean;
}

/** GET /window-sticker/{vin}/preview.png: the card in link previews. PNG, because many don't show WebP. */
export function linkPreview(context: PageContext): PageHandler {
  const cache = context.memory.of<Preview>('card', ({ png }) => png.length);

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

  return async (request) => {
    const vin = paramOf(request, 'vin');
    const preview = isVin(vin) ? await drawing.once(vin, () => draw(vin)) : null;
    if (!preview) return { reason: 'not-found', detail: 'There is no preview picture at this URL.' };
    const { png, final } = preview;
    const headers = {
      ...sharedImage(request, 'image/png', final ? DAY : HOUR),
      etag: `"${hash('sha256', png, 'hex').slice(0, 32)}"`,
    };
    return { status: 200, headers, body: png };
  };
}

/** The headers of an image that other sites show. */
function sharedImage({ server }: FastifyRequest, type: string, cacheControl: string): HeaderFields {
  return {
    ...server.headerSets.page,
    'content-type': type,
    'cache-control': cacheControl,
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "default-src 'none'",
    'x-robots-tag': 'noindex',
  };
}

/** A card without the sticker's picture is better than none. */
function nullIfBusy(error: unknown): null {
  if (error instanceof Busy) return null;
  throw error;
}
