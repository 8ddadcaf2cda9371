import { isVin, parseVin, tidyVin, vinsIn } from '@monroney/vin';
import { inMemorySingleFlight } from '../lib/single-flight.ts';
import { failsCheckDigit, type LookupResult } from '../lookup/finding.ts';
import { readerVersionOf } from '../makers/read.ts';
import type { HeldLabel } from '../store/store.ts';
import { html, type Html } from './html.ts';
import { askingBox, refresh, waitedOf, noLabel, withoutLabelWords } from './no-label.ts';
import { SCRIPTS } from './assets.ts';
import { carHead, cardTags, jsonLd, stickerPath, useThisData, vehicleData } from './car-page.ts';
import { carTitle } from './car-words.ts';
import { layout } from './layout.ts';
import { heldPage } from './held.ts';
import { mistyped, mistypedPage } from './mistyped.ts';
import { paramOf, queryOf, type PageContext, type PageHandler } from './page-context.ts';
import { finish, finishedResponse, notFound, pageResponse, redirect, type FinishedPage } from './respond.ts';

/** The page is sent at once. If the lookup takes longer, the browser waits for it. */
const MAX_WAIT_MS = 150;

/** GET /window-sticker/{vin} */
export function sticker(context: PageContext): PageHandler {
  const { lookup, memory } = context;
  const cache = memory.of<FinishedPage>('page', ({ plain, gzip }) => plain.length + gzip.length);

  // Many may ask for a sticker while it is read for the first time.
  const rendering = inMemorySingleFlight();

  async function rendered(result: LookupResult, label: HeldLabel): Promise<FinishedPage> {
    const key = `${label.vin} ${label.sha256} ${readerVersionOf(label.make)}`;
    const cached = cache.get(key);
    if (cached) return cached;
    return rendering.once(key, async () => {
      const { page, final } = await heldPage(context, result, label);
      const done = finish(page);
      if (final) cache.set(key, done);
      return done;
    });
  }

  return async (request) => {
    const typed = paramOf(request, 'vin');
    if (typed === '') return notFound(request);
    const parsed = parseVin(typed);
    if (!parsed.ok) {
      const tidy = tidyVin(typed.slice(0, 200));
      const [first, second] = isVin(tidy) ? [tidy] : vinsIn(typed);
      if (first && !second) return redirect(request, `/window-sticker/${first}`, 301);
      return mistyped(request, context, tidy, parsed);
    }
    const { vin } = parsed;
    if (vin !== typed) return redirect(request, `/window-sticker/${vin}`, 301);
    if (queryOf(request, 'as') !== 'typed') {
      const stored = await lookup.find(vin, { sticker: false });
      if (stored.finding.state !== 'held' && failsCheckDigit(stored.decoded)) {
        return pageResponse(request, mistypedPage(context, vin));
      }
    }
    const { client } = request;
    const result = await lookup.find(vin, { sticker: true, maxWaitMs: MAX_WAIT_MS, client });
    const { finding } = result;
    if (finding.state === 'held') return finishedResponse(request, await rendered(result, finding.label));
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
  const name = carTitle(result);
  return layout({
    title: asking ? `${name}: fetching the window sticker` : `${name}: ${withoutLabelWords(result)}`,
    description: `What the VIN ${vin} tells us about this car, and why there is no window sticker to show.`,
    path: `/window-sticker/${vin}`,
    baseUrl: context.baseUrl,
    noindex: !specimen,
    scripts: asking ? [SCRIPTS.asking] : [SCRIPTS.copy, SCRIPTS.recent],
    head: html`${cardTags(context.baseUrl, vin, name)}${asking ? refresh(stickerPath(result), waited) : ''}${result.decoded.vehicle ? jsonLd(vehicleData(result, null, context.baseUrl)) : ''}`,
    body: html`${carHead(result, null)}
    ${asking ? askingBox(result, waited) : html`${noLabel(result)} ${useThisData(context.baseUrl, vin, false)}`}`,
  });
}
