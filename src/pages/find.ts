import { isVin, parseVin, tidyVin, vinsIn } from '@monroney/vin';
import type { Context } from 'hono';
import { carName } from '../lib/names.ts';
import { capitalize, inWords } from '../lib/words.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import { sendMistyped } from './mistyped.ts';
import type { PageContext } from './page-context.ts';
import { sendError, sendPage, wantsHtml } from './send.ts';

/** Enough for a listing. Longer text is cut. */
const MAX_LENGTH = 4_000;

/** GET /find?vin=…: where the VIN forms go. Finds the VIN in the text and redirects to its page. */
export function find(context: PageContext) {
  return (c: Context): Response | Promise<Response> => {
    const typed = (c.req.query('vin') ?? '').slice(0, MAX_LENGTH);
    const vin = tidyVin(typed);
    const [first, ...others] = isVin(vin) ? [vin] : vinsIn(typed);
    if (first && others.length === 0) return c.redirect(`/window-sticker/${first}`, 303);
    if (first) return sendChoice(c, context, [first, ...others]);
    const parsed = parseVin(vin);
    if (parsed.ok || parsed.reason === 'empty') return c.redirect('/', 303);
    return sendMistyped(c, context, vin, parsed);
  };
}

function sendChoice(c: Context, context: PageContext, vins: readonly string[]): Response | Promise<Response> {
  const detail = `This text contains ${vins.length} VINs: ${vins.join(', ')}. Send one.`;
  if (!wantsHtml(c)) return sendError(c, context, { reason: 'bad-vin', detail });
  return sendPage(c, choicePage(context, vins), { cacheControl: 'no-store' });
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
      ${vins.length <= 3 ? html`<p class="actions"><a class="button" href="/compare?vins=${vins.join(',')}">Compare ${vins.length === 2 ? 'both' : 'all three'}</a></p>` : ''}`,
  });
}
