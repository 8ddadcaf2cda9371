import { html } from 'hono/html';
import { ownerName } from '../lookup/messages.ts';
import type { LookupResult } from '../lookup/finding.ts';
import type { Html } from './layout.ts';
import { stickerPath } from './sticker-path.ts';
import { inWords } from '../lib/words.ts';

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
