import { viaDealersText } from '../makers/index.ts';
import { comesViaDealers, type Source } from '../makers/maker.ts';
import { capitalize, inWords, joinWithAnd, titleCase } from '@monroney/label/lib/words';
import { tools } from '../mcp/tools.ts';
import type { DocPage } from '../site/docs/page.ts';
import { html, type Html } from './html.ts';
import { SCRIPTS } from './assets.ts';
import { markdownResponse, pageResponse, prefersMarkdown } from './respond.ts';
import { layout } from './layout.ts';
import type { PageContext, PageHandler } from './page-context.ts';
import { sampleSheet, trySample } from './sample.ts';
import { findForm } from './vin-cells.ts';

/** The sample with the most to see on its sticker. */
const SAMPLE_VIN = '1C4RJHBR7TC000000';

/** GET / */
export function home(context: PageContext): PageHandler {
  const markdown = homeMarkdown(context);
  return async (request) =>
    prefersMarkdown(request.headers.accept)
      ? markdownResponse(request, markdown)
      : pageResponse(request, homePage(context));
}

function homePage(context: PageContext): Html {
  return layout({
    title: 'Monroney: find a car’s original window sticker by VIN',
    description:
      'Paste a VIN and see the window sticker the manufacturer put on the car: base price, every option, destination and the total when new. Free, no account.',
    path: '/',
    search: false,
    baseUrl: context.baseUrl,
    scripts: [SCRIPTS.recent],
    head: html`<meta
      property="og:image"
      content="${context.baseUrl}/window-sticker/${SAMPLE_VIN}/preview.png"
    />`,
    body: html`<h1>Find a car’s original window sticker</h1>
      <p class="lead">
        The sticker, or <a href="/docs/monroney-label">Monroney label</a>, is the sheet the manufacturer put
        on the car’s window: base price, every option, and the total when new.
      </p>
      ${findForm({ focus: true }, trySample(SAMPLE_VIN))} ${RECENT} ${whatYouGet()} ${makes(context)}`,
  });
}

/** Filled by a script from the browser's local storage. */
const RECENT = html`<section class="recent" data-recent hidden>
  <h2>Recent lookups</h2>
  <ul class="vin-list"></ul>
  <p class="small soft">
    Stored only in this browser. <button type="button" class="plain small" data-forget>Clear</button>
  </p>
</section>`;

function whatYouGet(): Html {
  return html`<section class="six-ten">
    <div class="text">
      <h2>What you get</h2>
      <p>
        The manufacturer’s original PDF, unchanged, and everything on it in a table: prices, options, colors
        and standard equipment.
      </p>
      <p>
        If there’s no sticker, you still see what the VIN tells us: model, engine, drive and plant.
        <a href="/docs/why-no-window-sticker">Why some cars have no sticker</a>.
      </p>
      <p>Have the PDF already? <a href="/read">Read it here</a>.</p>
      <p>
        For dealers: <a href="/inventory">stickers for a whole lot</a> and
        <a href="/docs/on-your-site">on your site</a>.
      </p>
      <p>
        Also available as <a href="/docs/api">an API</a> and <a href="/connect">for AI assistants</a>, no key
        needed.
      </p>
    </div>
    ${sampleSheet(SAMPLE_VIN, 'A sample window sticker: prices on the left, fuel economy and safety ratings on the right.')}
  </section>`;
}

function makes({ lookup }: PageContext): Html {
  const { sources, switches } = lookup;
  const count = sources.reduce((sum, source) => sum + source.makes.length, 0);
  const viaDealers = viaDealersText(sources);
  const paused = sources
    .filter((source) => switches.state(source.id).state !== 'on')
    .flatMap((source) => source.makes.map(titleCase));
  return html`<section class="six-ten">
    <div class="text">
      <h2>${capitalize(inWords(count))} makes publish their stickers</h2>
      <p>For other makes we show what the VIN tells us.</p>
      ${viaDealers ? html`<p class="soft">${viaDealers}</p>` : ''}
      <p class="soft">
        ${paused.length ? `New lookups are paused for ${joinWithAnd(paused)}.` : ''} See
        <a href="/makes">what each make publishes</a> and the <a href="/status">status page</a>.
      </p>
    </div>
    <ul class="rows">
      ${sources.map((source) => html`<li><span>${source.makes.map(titleCase).join(', ')}</span><span class="soft">${yearsInShort(source)}${stateWords(switches.state(source.id).state)}</span></li>`)}
    </ul>
  </section>`;
}

/** `2013 and newer`, `2025 and newer, via dealers`; without a first year, what the source says. */
function yearsInShort({ years, kind }: Pick<Source, 'years' | 'kind'>): string {
  const first = /(?:mostly )?\d{4} and newer/i.exec(years)?.[0];
  const words = (first ?? years.split(/[;,]/)[0] ?? years).toLowerCase();
  return comesViaDealers({ kind }) ? `${words}, via dealers` : words;
}

function stateWords(state: 'on' | 'off' | 'resting'): Html | string {
  if (state === 'on') return '';
  return html`<br /><strong>${state === 'off' ? '○ Paused by us' : '◆ On hold'}</strong>`;
}

/** The home page as Markdown. */
function homeMarkdown({ baseUrl, lookup, library }: PageContext): DocPage {
  const makes = lookup.sources.flatMap((source) => source.makes.map(titleCase));
  return {
    path: '/',
    title: 'Monroney',
    description: 'A car’s original window sticker by VIN.',
    markdown: async () => `# Monroney

Send a 17-character VIN and get the decoded vehicle and that car’s original window sticker (Monroney label): the manufacturer’s PDF byte for byte, and its prices, options and paint as data. Free, no key, no sign-in.

## Requests

- \`GET ${baseUrl}/api/v1/vin/{VIN}\`: the decoded vehicle, and whether it has a sticker
- \`GET ${baseUrl}/api/v1/vin/{VIN}/label\`: what the sticker says, line by line
- \`GET ${baseUrl}/api/sticker/{VIN}\`: the PDF
- \`GET ${baseUrl}/api/sticker/{VIN}/preview\`: the sticker as a picture

Try [\`${SAMPLE_VIN}\`](/api/v1/vin/${SAMPLE_VIN}), a test VIN that always gets the same response. If \`available\` is null, we don’t know yet; it never means “no sticker”.

## Tools for assistants

MCP over Streamable HTTP at \`${baseUrl}/mcp\`: ${tools.map(({ name }) => `\`${name}\``).join(', ')}. [How to connect](/connect.md).

## Limit

${library.fill('{{limitSentence}}')} Request each VIN once and keep the response. [All limits](/docs/limits.md).

## Makes with stickers

${makes.join(', ')}. For other makes you get the decoded vehicle. [Years and sizes](/makes.md).

## More

[API reference](/docs/api.md) · [OpenAPI](/openapi.json) · [llms.txt](/llms.txt) · [Documentation](/docs.md) · [Status](/status.md)
`,
  };
}
