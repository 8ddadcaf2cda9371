import { isVin } from '@monroney/vin';
import type { Context } from 'hono';
import { sendError } from './errors.ts';
import { clientOf, type PageEnv, type PageContext } from './page-context.ts';

/** Shorter than proxies wait for a first byte. */
const MAX_WAIT_MS = 15_000;

/** GET /window-sticker/{vin}/ready: waits until the lookup ends (204). 202 means it's still running, so poll again. */
export function ready(context: PageContext) {
  return async (c: Context<PageEnv>): Promise<Response> => {
    const vin = c.req.param('vin') ?? '';
    if (!isVin(vin)) return sendError(c, context, { reason: 'bad-vin', detail: 'This isn’t a VIN.' });
    const { finding } = await context.lookup.find(vin, {
      sticker: true,
      maxWaitMs: MAX_WAIT_MS,
      client: clientOf(c),
    });
    const headers = { 'Cache-Control': 'no-store' };
    return new Response(null, { status: finding.state === 'asking' ? 202 : 204, headers });
  };
}
