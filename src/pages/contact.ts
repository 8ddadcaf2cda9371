import { html, type Html } from './html.ts';
import { SCRIPTS } from './assets.ts';
import { layout } from './layout.ts';
import type { PageContext, PageHandler } from './page-context.ts';
import { pageResponse } from './respond.ts';

/** GET /contact */
export function contact(context: PageContext): PageHandler {
  return async (request) => pageResponse(request, contactPage(context));
}

function contactPage({ baseUrl, contact: url }: PageContext): Html {
  const report = ['VIN:', 'Page:', 'What is wrong:', 'What it should say:'].join('\n');
  return layout({
    title: 'Contact',
    description: 'How to reach whoever runs this service, and what to write.',
    path: '/contact',
    baseUrl,
    scripts: [SCRIPTS.copy],
    body: html`<h1>Contact</h1>
      <p class="lead">
        ${url ? html`Write to <a href="${url}">${url.replace(/^mailto:|^https:\/\//, '')}</a>.` : NOWHERE}
      </p>
      <section class="six-ten">
        <div class="text">
          <h2>What to write</h2>
          <p>The VIN, what is wrong, and what you expected. Please don’t send other people’s stickers.</p>
        </div>
        <div class="report">
          <pre class="box">${report}</pre>
          ${contactActions(url ?? '', 'Window sticker report', report)}
        </div>
      </section>
      <section class="six-ten">
        <div class="text"><h2>Faster than writing</h2></div>
        <ul class="rows">
          <li><a href="/status">Something isn’t responding</a><span class="soft">Status</span></li>
          <li>
            <a href="/docs/why-no-window-sticker">There is no sticker</a
            ><span class="soft">Why, and what to do</span>
          </li>
          <li>
            <a href="/docs/how-to-read-a-sticker">What a line means</a
            ><span class="soft">How to read a sticker</span>
          </li>
          <li><a href="/docs/support">A security problem</a><span class="soft">Support</span></li>
        </ul>
      </section>`,
  });
}

const NOWHERE = `Whoever runs this service hasn’t published an address. You can copy the report below and send it to the person or
  company that sent you here.`;

/** Sends a report by e-mail, or to a page where it can be pasted. */
export function contactActions(contactUrl: string | null, subject: string, report: string): Html {
  const mail = contactUrl?.startsWith('mailto:')
    ? `${contactUrl}${contactUrl.includes('?') ? '&' : '?'}subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(report)}`
    : null;
  return html`<p class="actions">
    ${mail ? html`<a href="${mail}">Report by e-mail</a>` : contactUrl ? html`<a href="${contactUrl}">Send it to us</a>` : ''}
    <button type="button" class="plain" data-copy="${report}" hidden>Copy the report</button>
    ${contactUrl === null ? html`<a href="/contact">Where to send it</a>` : ''}
  </p>`;
}
