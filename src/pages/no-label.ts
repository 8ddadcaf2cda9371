import { html } from 'hono/html';
import { explain, codeOf } from '../lookup/finding-response.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { briefOf, DECODED_STEP } from '../lookup/messages.ts';
import { humanDay } from '../lib/words.ts';
import { makeSlug } from '../lookup/coverage.ts';
import { UNPUBLISHED } from '../site/docs/unpublished.ts';
import type { Html } from './layout.ts';
import { stickerPath } from './mistyped.ts';
import { linkVins } from './vin-cells.ts';

/** Later dates mean that we won't ask again. */
const NEVER = Date.UTC(9000, 0);

/** Why there is no label, in two or three words for titles and cards. */
export function withoutLabelWords(found: LookupResult): string {
  return briefOf(codeOf(found.finding), found);
}

/** Links the pages that a step mentions. */
function withLinks(step: string): Html | Html[] {
  const [before, after] = step.split('status page');
  if (after !== undefined) return html`${before}<a href="/status">status page</a>${after}`;
  const [start, end] = step.split('build sheet');
  if (end !== undefined) return html`${start}<a href="/docs/build-sheets">build sheet</a>${end}`;
  return linkVins(step);
}

function makePage({ decoded }: LookupResult): Html | string {
  const make = decoded.vehicle?.make;
  const unpublished = make && UNPUBLISHED.find((entry) => entry.make.toUpperCase() === make.toUpperCase());
  return unpublished
    ? html`, or <a href="/makes/${makeSlug(unpublished.make)}">your options for ${unpublished.make} cars</a>`
    : '';
}

/** Why there is no label, what that means and what to do next. */
export function noLabel(found: LookupResult): Html {
  const { headline, explanation, nextSteps, retryAfter } = explain(found);
  const { finding, decoded } = found;
  const nextCheck =
    finding.state === 'none' && finding.until < NEVER
      ? ` We’ll check again after ${humanDay(finding.until)}.`
      : '';
  return html`<div class="state">
    <div>
      <h2>${headline.replace(/\.$/, '')}</h2>
      <p>${explanation}${nextCheck}</p>
      ${decoded.vehicle?.make ? html`<p class="soft">The details above come from the VIN.</p>` : ''}
      ${retryAfter === null ? '' : html`<p class="actions"><a class="button" href="${stickerPath(found)}">Try again</a></p>`}
    </div>
    <ol class="steps">
      ${nextSteps.filter((step) => step !== DECODED_STEP).map((step) => html`<li><span>${withLinks(step)}</span></li>`)}
      ${
        retryAfter === null
          ? ''
          : html`<li>
              <span>Check the <a href="/status">status page</a> to see what works right now.</span>
            </li>`
      }
      ${
        finding.state === 'none' || finding.state === 'no-source'
          ? html`<li>
              <span
                >Read
                <a href="/docs/why-no-window-sticker">why there is no window sticker</a
                >${makePage(found)}.</span
              >
            </li>`
          : ''
      }
    </ol>
  </div>`;
}
