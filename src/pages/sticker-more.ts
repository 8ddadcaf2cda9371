import { isVin } from '@monroney/vin';
import type { Context } from 'hono';
import { IMMUTABLE } from '../http/headers.ts';
import { withdrawnNote } from '../lookup/messages.ts';
import { sendError } from './errors.ts';
import { clientOf, type PageEnv, type PageParts } from './parts.ts';

const WIDTHS = [320, 640, 1280, 1920];
/** Shorter than proxies wait for a first byte. */
const LONGEST_WAIT_MS = 15_000;

/** GET /window-sticker/{vin}/picture: the label drawn, for the pages. */
export function picture(parts: PageParts) {
  return async (c: Context<PageEnv>): Promise<Response> => {
    const vin = c.req.param('vin') ?? '';
    const width = Number(c.req.query('width') ?? 1280);
    const nothing = () =>
      sendError(c, parts, { reason: 'not-found', detail: 'There is no sticker picture at this URL.' });
    if (!isVin(vin) || !WIDTHS.includes(width)) return nothing();
    const found = await parts.lookup.find(vin, { sticker: false });
    const { finding } = found;
    if (finding.state === 'withdrawn')
      return sendError(c, parts, { reason: 'withdrawn', detail: withdrawnNote(found), vin });
    if (finding.state !== 'held') return nothing();
    const headers = {
      'Content-Type': 'image/webp',
      'Cache-Control': IMMUTABLE,
      ETag: `"${finding.label.sha256}-${width}"`,
      // Pages elsewhere show it as their preview of a link.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Content-Security-Policy': "default-src 'none'",
      'X-Robots-Tag': 'noindex',
    };
    if (c.req.header('if-none-match')?.includes(headers.ETag))
      return new Response(null, { status: 304, headers });
    const webp = await parts.lookup.preview(finding.label, width);
    return webp ? new Response(new Uint8Array(webp), { headers }) : nothing();
  };
}

/** GET /window-sticker/{vin}/ready: waits until the asking is over (204), or tells to come again (202). */
export function ready(parts: PageParts) {
  return async (c: Context<PageEnv>): Promise<Response> => {
    const vin = c.req.param('vin') ?? '';
    if (!isVin(vin)) return sendError(c, parts, { reason: 'bad-vin', detail: 'This is not a VIN.' });
    const { finding } = await parts.lookup.find(vin, {
      sticker: true,
      patienceMs: LONGEST_WAIT_MS,
      client: clientOf(c),
    });
    const headers = { 'Cache-Control': 'no-store' };
    return new Response(null, { status: finding.state === 'asking' ? 202 : 204, headers });
  };
}
