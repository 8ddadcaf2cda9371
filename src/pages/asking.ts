import { html } from 'hono/html';
import type { Found } from '../lookup/finding.ts';
import type { Html } from './frame.ts';
import { pageOf } from './page-of.ts';
import { inWords } from '../lib/words.ts';

/** While a source is being asked: the place of the label, in its shape, so that nothing jumps when it comes. */
export function askingBox(found: Found): Html {
  const name = found.source?.name ?? 'the manufacturer';
  const seconds = found.source?.usualSeconds ?? 2;
  return html`<div
    class="asking box takes-${Math.min(9, Math.max(1, Math.round(seconds)))}"
    data-asking="/window-sticker/${found.vin}/ready"
  >
    <div class="line-of-progress" role="progressbar" aria-label="Asking ${name}"></div>
    <div role="status">
      <h2>Asking ${name}. This usually takes ${inWords(seconds)} ${seconds === 1 ? 'second' : 'seconds'}.</h2>
      <p class="soft">
        The label will appear here. If it does not,
        <a href="${pageOf(found)}">load this page again</a>; nothing is lost.
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

/** Without a script the page asks again by itself. */
export const REFRESH = html`<noscript><meta http-equiv="refresh" content="3" /></noscript>`;
