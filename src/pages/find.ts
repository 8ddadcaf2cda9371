import { isVin, parseVin, tidyVin, vinsIn } from '@monroney/vin';
import type { FastifyRequest } from 'fastify';
import type { Answer } from '../http/problems.ts';
import { carName } from '@monroney/label/lib/names';
import { makeSlug, matchMake } from '../lookup/coverage.ts';
import { capitalize, inWords } from '@monroney/label/lib/words';
import { html, type Html } from './html.ts';
import { MAX_CARS } from './compare.ts';
import { layout } from './layout.ts';
import { mistyped, type NotAVin } from './mistyped.ts';
import { queryOf, type PageContext, type PageHandler } from './page-context.ts';
import { pageResponse, redirect, wantsHtml } from './respond.ts';

/** Enough for a listing. Longer text is cut. */
const MAX_LENGTH = 4_000;

/** What another app shares with ours, as the manifest names it. */
const SHARED = ['title', 'text', 'url'];

/** GET /find?vin=…: where VIN forms and listings shared from other apps go. Finds the VIN in the text and redirects to its page. */
export function find(context: PageContext): PageHandler {
  return async (request) => {
    const shared = SHARED.map((name) => queryOf(request, name) ?? '')
      .join(' ')
      .trim();
    const typed = (queryOf(request, 'vin') ?? shared).slice(0, MAX_LENGTH);
    const vin = tidyVin(typed);
    const [first, ...others] = isVin(vin) ? [vin] : vinsIn(typed);
    if (first && others.length === 0) return redirect(request, `/window-sticker/${first}`, 303);
    if (first) return choice(request, context, [first, ...others]);
    if (shared) return mistyped(request, context, '', NOTHING_SHARED);
    const make = makePage(context, typed.trim());
    if (make) return redirect(request, make, 303);
    const parsed = parseVin(vin);
    if (parsed.ok || parsed.reason === 'empty') return redirect(request, '/', 303);
    return mistyped(request, context, vin, parsed);
  };
}

/** Longer than any make's name. */
const MAX_NAME = 40;
/** A VIN, or most of one, beside which a make's name says nothing new. */
const likeAVin = (text: string): boolean =>
  (text.match(/[a-z\d]{8,}/gi) ?? []).some((word) => /\d/.test(word));

/** The page of a make that someone typed, also by a nickname or with a typo; of all makes if it has none. */
function makePage({ lookup, library }: PageContext, text: string): string | null {
  if (text.length > MAX_NAME || likeAVin(text)) return null;
  const match = matchMake(text, lookup.sources);
  if (match.kind === 'unknown') return null;
  const [name = '', ...others] = match.kind === 'covered' ? match.makes : [match.name];
  const page = `/makes/${makeSlug(name)}`;
  return others.length === 0 && library.pages.has(page) ? page : '/makes';
}

const NOTHING_SHARED: NotAVin = {
  ok: false,
  reason: 'empty',
  message: 'There is no VIN in what you shared. Copy the VIN from the listing and paste it here.',
};

function choice(request: FastifyRequest, context: PageContext, vins: readonly string[]): Answer {
  const detail = `This text contains ${vins.length} VINs: ${vins.join(', ')}. Send one.`;
  if (!wantsHtml(request)) return { reason: 'bad-vin', detail };
  return pageResponse(request, choicePage(context, vins), { cacheControl: 'no-store' });
}

function choicePage({ lookup, baseUrl }: PageContext, vins: readonly string[]): Html {
  const title = `${capitalize(inWords(vins.length))} VINs in this text`;
  return layout({
    title,
    description: 'The text you pasted contains several VINs. Choose one.',
    path: '/find',
    baseUrl,
    noindex: true,
    body: html`<h1>${title}</h1>
      <p class="lead">Choose the car you want to see.</p>
      <ul class="vin-list">
        ${vins.map((vin) => html`<li><a class="mono" href="/window-sticker/${vin}">${vin}</a><span>${carName(lookup.decode(vin).vehicle) ?? 'Unknown manufacturer'}</span></li>`)}
      </ul>
      ${vins.length <= MAX_CARS ? html`<p class="actions"><a class="button" href="/compare?vins=${vins.join(',')}">Compare these ${inWords(vins.length)}</a></p>` : ''}`,
  });
}
