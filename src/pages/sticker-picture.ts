import { isVin } from '@monroney/vin';
import type { Context } from 'hono';
import { IMMUTABLE } from '../http/headers.ts';
import { withdrawnNote } from '../lookup/messages.ts';
import { PREVIEW_WIDTH, PREVIEW_WIDTHS } from '../pdf/pdf-workers.ts';
import { sendError } from './errors.ts';
import type { PageEnv, PageContext } from './page-context.ts';

const WIDTHS: readonly number[] = PREVIEW_WIDTHS;

/** GET /window-sticker/{vin}/picture: the label's first page as an image, for the pages. */
export function picture(context: PageContext) {
  return async (c: Context<PageEnv>): Promise<Response> => {
    const vin = c.req.param('vin') ?? '';
    const width = Number(c.req.query('width') ?? PREVIEW_WIDTH);
    const notFound = () =>
      sendError(c, context, { reason: 'not-found', detail: 'There is no sticker picture at this URL.' });
    if (!isVin(vin) || !WIDTHS.includes(width)) return notFound();
    const found = await context.lookup.find(vin, { sticker: false });
    const { finding } = found;
    if (finding.state === 'withdrawn')
      return sendError(c, context, { reason: 'withdrawn', detail: withdrawnNote(found), vin });
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
    return webp ? new Response(new Uint8Array(webp), { headers }) : notFound();
  };
}
