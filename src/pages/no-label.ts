import { isVin } from '@monroney/vin';
import { explain, codeOf } from '../lookup/finding-response.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { briefOf, DECODED_STEP, ownerName } from '../lookup/messages.ts';
import { duration, humanDay, inWords, withCurlyApostrophes } from '@monroney/label/lib/words';
import { makeSlug } from '../lookup/coverage.ts';
import { UNPUBLISHED } from '../site/docs/makes.ts';
import { html, type Html } from './html.ts';
import { recallsLink, stickerPath } from './car-page.ts';
import { linkVins } from './vin-cells.ts';
import { paramOf, type PageContext, type PageHandler } from './page-context.ts';

/** What a car's page shows without a label: that we're asking for it, or why there is none. */

/** Interval of reloads without a script. */
const REFRESH_SECONDS = 3;
/** A lookup is late after this many times its typical duration. */
const LATE_FACTOR = 3;

/** The box shown while a lookup runs. It has the sticker's shape, so that nothing moves when the sticker appears. */
export function askingBox(result: LookupResult, waited = 0): Html {
  const name = ownerName(result);
  const seconds = result.source?.typicalSeconds ?? 2;
  const late = waited > seconds * LATE_FACTOR;
  return html`<div
    class="asking box takes-${Math.min(9, Math.max(1, Math.round(seconds)))}${late ? ' late' : ''}"
    data-asking="/window-sticker/${result.vin}/ready"
    data-late-after="${seconds * LATE_FACTOR}"
    data-late="Still asking ${name}. This is taking longer than usual."
  >
    <div class="progress-line" role="progressbar" aria-label="Asking ${name}"></div>
    <div role="status">
      <h2>
        ${late ? `Still asking ${name}. This is taking longer than usual.` : `Asking ${name} for the sticker. This usually takes ${inWords(seconds)} ${seconds === 1 ? 'second' : 'seconds'}.`}
      </h2>
      <p class="soft">
        The sticker will appear here. If it doesn’t, <a href="${stickerPath(result)}">reload this page</a>.
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

/**
 * GET /window-sticker/{vin}/ready: waits until the lookup ends (204). 202 means it's still running, so poll again.
 */
export function ready(context: PageContext): PageHandler {
  return async (request) => {
    const vin = paramOf(request, 'vin');
    if (!isVin(vin)) return { reason: 'bad-vin', detail: 'This isn’t a VIN.' };
    const { finding } = await context.lookup.find(vin, {
      sticker: true,
      maxWaitMs: MAX_WAIT_MS,
      client: request.client,
    });
    const headers = { ...request.server.headerSets.page, 'cache-control': 'no-store' };
    return { status: finding.state === 'asking' ? 202 : 204, headers, body: null };
  };
}

/** Later dates mean that we won't ask again. */
const NEVER = Date.UTC(9000, 0);

/** Why there is no label, in two or three words for titles and cards. */
export function withoutLabelWords(result: LookupResult): string {
  return briefOf(codeOf(result), result);
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

/** Not what the page shows elsewhere: the decoded vehicle, and how long to wait. */
const isOwnStep = (step: string): boolean => step !== DECODED_STEP && !step.startsWith('Try again in ');

/** A link that `asking.js` follows by itself after these seconds, counting down. */
export function tryAgain(path: string, seconds: number): Html {
  return html`<p class="actions">
    <a class="button" href="${path}" data-retry="${seconds}">Try again</a>
    <span class="soft" role="timer">It may work in ${duration(seconds)}.</span>
  </p>`;
}

/** The answer in a line below the car's name: why there is no sticker, and what this page has instead. */
export function noLabelAnswer(result: LookupResult): Html {
  const { headline, explanation, retryAfter } = explain(result);
  const offer = result.decoded.vehicle?.make
    ? 'Here is what the VIN says, and how to get a copy.'
    : 'Here is what you can do.';
  return html`<p class="answer">
      ${withCurlyApostrophes(`${headline} ${retryAfter === null ? offer : explanation}`)}
    </p>
    ${retryAfter === null ? '' : tryAgain(stickerPath(result), retryAfter)}`;
}

/** What the answer means, and what to do next. */
export function noLabel(result: LookupResult): Html {
  const { explanation, nextSteps, retryAfter } = explain(result);
  const { finding, decoded } = result;
  const nextCheck =
    finding.state === 'none' && finding.until < NEVER
      ? ` We’ll check again after ${humanDay(finding.until)}.`
      : '';
  const steps: (Html | Html[] | string)[] = [
    ...nextSteps.filter(isOwnStep).map((step) => withLinks(withCurlyApostrophes(step))),
    retryAfter !== null && html`Check the <a href="/status">status page</a> to see what works right now.`,
    (finding.state === 'none' || finding.state === 'no-source') &&
      html`Read <a href="/docs/why-no-window-sticker">why there is no window sticker</a>${makePage(result)}.`,
    finding.state !== 'withdrawn' && html`Have the PDF already? <a href="/read">Read it here</a>.`,
    decoded.vehicle?.make && html`Buying this car? Check ${recallsLink(result.vin)} at NHTSA.`,
  ].filter((step) => step !== false && step !== null && step !== undefined && step !== '');
  return html`<section class="six-ten">
    <div class="text">
      <h2>${decoded.vehicle?.make && retryAfter === null ? 'How to get a copy' : 'What you can do'}</h2>
      ${retryAfter === null ? html`<p>${withCurlyApostrophes(explanation)}${nextCheck}</p>` : ''}
    </div>
    <ol class="steps">
      ${steps.map((step) => html`<li><span>${step}</span></li>`)}
    </ol>
  </section>`;
}
