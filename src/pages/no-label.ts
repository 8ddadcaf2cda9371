import { html } from 'hono/html';
import { explain } from '../lookup/explain.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { briefOf } from '../lookup/messages.ts';
import { codeOf } from '../lookup/outcomes.ts';
import { humanDay } from '../lib/words.ts';
import { makeSlug } from '../lookup/coverage.ts';
import { UNPUBLISHED } from '../site/docs/unpublished.ts';
import type { Html } from './layout.ts';
import { stickerPath } from './sticker-path.ts';
import { linkVins } from './vin-cells.ts';

const FOREVER = Date.UTC(9000, 0);

/** In two or three words, for titles and cards: what nobody could find out is not told as none. */
export function withoutLabelWords(found: LookupResult): string {
  return briefOf(codeOf(found.finding), found);
}

/** The steps name things that have pages. */
function withLinks(step: string): Html | Html[] {
  const [before, after] = step.split('status page');
  if (after !== undefined) return html`${before}<a href="/status">status page</a>${after}`;
  const [ahead, behind] = step.split('build sheet');
  if (behind !== undefined) return html`${ahead}<a href="/docs/build-sheets">build sheet</a>${behind}`;
  return linkVins(step);
}

function makePage({ decoded }: LookupResult): Html | string {
  const make = decoded.vehicle?.make;
  const known = make && UNPUBLISHED.find((each) => each.make.toUpperCase() === make.toUpperCase());
  return known ? html`, or <a href="/makes/${makeSlug(known.make)}">what works for ${known.make}</a>` : '';
}

/** Why there is no label to show, what it means, and what to do next. */
export function noLabel(found: LookupResult): Html {
  const { headline, explanation, nextSteps, retryAfter } = explain(found);
  const { finding, decoded } = found;
  const again =
    finding.state === 'none' && finding.until < FOREVER
      ? ` We’ll check again from ${humanDay(finding.until)} on.`
      : '';
  return html`<div class="state">
    <div>
      <h2>${headline.replace(/\.$/, '')}</h2>
      <p>${explanation}${again}</p>
      ${decoded.vehicle?.make ? html`<p class="soft">The details above come from the VIN.</p>` : ''}
      ${retryAfter === null ? '' : html`<p class="actions"><a class="button" href="${stickerPath(found)}">Try again</a></p>`}
    </div>
    <ol class="steps">
      ${nextSteps.map((step) => html`<li><span>${withLinks(step)}</span></li>`)}
      ${
        retryAfter === null
          ? ''
          : html`<li>
              <span>See <a href="/status">how the sources are doing</a>.</span>
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
