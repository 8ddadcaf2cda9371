import { html } from 'hono/html';
import { explain } from '../lookup/explain.ts';
import type { Found } from '../lookup/finding.ts';
import { humanDay } from '../lookup/outcomes.ts';
import type { Html } from './frame.ts';
import { pageOf } from './page-of.ts';
import { linked } from './vin-cells.ts';

const FOREVER = Date.UTC(9000, 0);

/** In two or three words, for titles and cards: what nobody could find out is not told as none. */
export function withoutLabelWords({ finding, decoded }: Found): string {
  switch (finding.state) {
    case 'none':
      return 'no window sticker';
    case 'no-source':
      return decoded.vehicle?.make ? 'no window sticker' : 'window sticker not known';
    case 'off':
      return 'window sticker not asked for';
    default:
      return 'window sticker not known yet';
  }
}

/** Why there is no label to show, what it means, and what to do next. */
export function noLabel(found: Found): Html {
  const { headline, explanation, nextSteps, retryAfter } = explain(found);
  const { finding, decoded } = found;
  const again =
    finding.state === 'none' && finding.until < FOREVER
      ? ` We ask again from ${humanDay(finding.until)} on, when someone looks this VIN up.`
      : '';
  return html`<div class="state">
    <div>
      <h2>${headline.replace(/\.$/, '')}</h2>
      <p>${explanation}${again}</p>
      ${decoded.vehicle?.make ? html`<p class="soft">What stands above comes from the VIN itself.</p>` : ''}
      ${retryAfter === null ? '' : html`<p class="actions"><a class="button" href="${pageOf(found)}">Try again</a></p>`}
    </div>
    <ol class="steps">
      ${nextSteps.map((step) => html`<li><span>${linked(step)}</span></li>`)}
      <li>
        <span
          >${finding.state === 'off' || retryAfter !== null ? html`<a href="/status">See how the sources answer</a> or ` : ''}<a
            href="/"
            >${finding.state === 'off' || retryAfter !== null ? 'look' : 'Look'} up another VIN</a
          ></span
        >
      </li>
    </ol>
  </div>`;
}
