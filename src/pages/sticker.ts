import { tidyVin } from '@monroney/vin';
import { inMemorySingleFlight } from '../lib/promises.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { readerVersionOf } from '@monroney/label/read-text';
import type { HeldLabel } from '../store/store.ts';
import { html, type Html } from './html.ts';
import { askingBox, refresh, waitedOf, noLabel, noLabelAnswer, withoutLabelWords } from './no-label.ts';
import { SCRIPTS } from './assets.ts';
import { carDetails, carHead, cardTags, jsonLd, stickerPath, useThisData, vehicleData } from './car-page.ts';
import { pageTitle } from './everyday-words.ts';
import { layout } from './layout.ts';
import { heldPage } from './held.ts';
import { mistyped, mistypedPage } from './mistyped.ts';
import { findForPage, vinFrom } from './page-lookup.ts';
import { paramOf, queryOf, type PageContext, type PageHandler } from './page-context.ts';
import { finish, finishedResponse, notFound, pageResponse, redirect, type FinishedPage } from './respond.ts';

/** The page is sent at once. If the lookup takes longer, the browser waits for it. */
const MAX_WAIT_MS = 150;

/** GET /window-sticker/{vin} */
export function sticker(context: PageContext): PageHandler {
  const cache = context.memory.of<FinishedPage>('page', ({ body }) => body.length);

  // Many may ask for a sticker while it is read for the first time.
  const rendering = inMemorySingleFlight();

  async function rendered(result: LookupResult, label: HeldLabel, client: string): Promise<FinishedPage> {
    const key = `${label.vin} ${label.sha256} ${readerVersionOf(label.make)}`;
    const cached = cache.get(key);
    if (cached) return cached;
    return rendering.once(key, async () => {
      const { page, final } = await heldPage(context, result, label, client);
      const done = finish(page);
      if (final) cache.set(key, done);
      return done;
    });
  }

  return async (request) => {
    const typed = paramOf(request, 'vin');
    if (typed === '') return notFound(request);
    const vin = vinFrom(typed);
    if (typeof vin !== 'string') return mistyped(request, context, tidyVin(typed.slice(0, 200)), vin);
    if (vin !== typed) return redirect(request, `/window-sticker/${vin}`, 301);
    const isConfirmed = queryOf(request, 'as') === 'typed';
    const found = await findForPage(context, request.client, vin, MAX_WAIT_MS, isConfirmed);
    if (found.mistyped) return pageResponse(request, mistypedPage(context, vin));
    const { result } = found;
    const { finding } = result;
    if (finding.state === 'held')
      return finishedResponse(request, await rendered(result, finding.label, request.client));
    const status = finding.state === 'withdrawn' ? 451 : 200;
    return pageResponse(request, withoutLabel(context, result, waitedOf(queryOf(request, 'waited'))), {
      status,
      cacheControl: 'no-store',
    });
  };
}

function withoutLabel(context: PageContext, result: LookupResult, waited: number): Html {
  const { vin, finding, specimen } = result;
  const asking = finding.state === 'asking';
  const name = pageTitle(result);
  return layout({
    title: asking ? `${name}: fetching the window sticker` : `${name}: ${withoutLabelWords(result)}`,
    description: `What the VIN ${vin} tells us about this car, and why there is no window sticker to show.`,
    path: `/window-sticker/${vin}`,
    baseUrl: context.baseUrl,
    noindex: !specimen,
    scripts: asking ? [SCRIPTS.asking] : [SCRIPTS.copy, SCRIPTS.recent, SCRIPTS.asking],
    head: html`${cardTags(context.baseUrl, vin, name)}${asking ? refresh(stickerPath(result), waited) : ''}${result.decoded.vehicle ? jsonLd(vehicleData(result, null, context.baseUrl)) : ''}`,
    body: asking
      ? html`${carHead(result, '')} ${askingBox(result, waited)} ${carDetails(result, null)}`
      : html`${carHead(result, noLabelAnswer(result))} ${carDetails(result, null)} ${noLabel(result)}
        ${useThisData(context.baseUrl, vin, false)}`,
  });
}
