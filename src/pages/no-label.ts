import { html } from 'hono/html';
import { explain } from '../lookup/explain.ts';
import type { Found } from '../lookup/finding.ts';
import { briefOf } from '../lookup/messages.ts';
import { codeOf } from '../lookup/outcomes.ts';
import { humanDay } from '../lib/words.ts';
import type { Html } from './frame.ts';
import { pageOf } from './page-of.ts';
import { linked } from './vin-cells.ts';

const FOREVER = Date.UTC(9000, 0);

/** In two or three words, for titles and cards: what nobody could find out is not told as none. */
export function withoutLabelWords(found: Found): string {
  return briefOf(codeOf(found.finding), found);
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
