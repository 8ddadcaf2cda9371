import { html } from 'hono/html';
import { isVin } from '@monroney/vin';
import type { Context } from 'hono';
import { ownerName } from '../lookup/messages.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { inWords } from '../lib/words.ts';
import type { Html } from './layout.ts';
import { stickerPath } from './mistyped.ts';
import { sendError } from './errors.ts';
import { clientOf, type PageEnv, type PageContext } from './page-context.ts';

/** Interval of reloads without a script. */
const REFRESH_SECONDS = 3;
/** A lookup is late after this many times its typical duration. */
const LATE_FACTOR = 3;

/** The box shown while a lookup runs. It has the sticker's shape, so that nothing moves when the sticker appears. */
export function askingBox(found: LookupResult, waited = 0): Html {
  const name = ownerName(found);
  const seconds = found.source?.typicalSeconds ?? 2;
  const late = waited > seconds * LATE_FACTOR;
  return html`<div
    class="asking box takes-${Math.min(9, Math.max(1, Math.round(seconds)))}${late ? ' late' : ''}"
    data-asking="/window-sticker/${found.vin}/ready"
    data-late-after="${seconds * LATE_FACTOR}"
    data-late="Still asking ${name}. This is taking longer than usual."
  >
    <div class="progress-line" role="progressbar" aria-label="Asking ${name}"></div>
    <div role="status">
      <h2>
        ${late ? `Still asking ${name}. This is taking longer than usual.` : `Asking ${name} for the sticker. This usually takes ${inWords(seconds)} ${seconds === 1 ? 'second' : 'seconds'}.`}
      </h2>
      <p class="soft">
        The sticker will appear here. If it doesn’t, <a href="${stickerPath(found)}">reload this page</a>.
      </p>
    </div>
    <div class="outline small soft" aria-hidden="true">
      <div class="outline-prices">
        <span>Base price</span><span>Options</span><span></span><span></span><span></span><span></span
        ><span>Destination</span><span class="outline-total">Total price</span>
      </div>
      <div class="outline-boxes">
        <span>Fuel economy</span><span>Safety ratings</span><span>Parts content</span>
      </div>
    </div>
  </div>`;
}

/** Reloads the page without a script, and remembers how long it has waited. */
export function refresh(path: string, waited = 0): Html {
  const next = `${path}${path.includes('?') ? '&' : '?'}waited=${waited + REFRESH_SECONDS}`;
  return html`<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}; url=${next}" /></noscript>`;
}

/** The seconds waited so far, from the `waited` query parameter. */
export function waitedOf(query: string | undefined): number {
  const seconds = Number(query);
  return seconds > 0 && seconds < 1000 ? Math.round(seconds) : 0;
}

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
