import type { Context } from 'hono';
import { openUnsubscribeLinks } from '../contacts/unsubscribe.ts';
import { lazy } from '../lib/single-flight.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import type { PageContext } from './page-context.ts';
import { sendPage, type SendOptions } from './send.ts';

/** An e-mail address has at most 254 characters, and the key is shorter. */
const MAX_LENGTH = 300;

/** GET asks for confirmation, POST unsubscribes, so that programs that follow links don't unsubscribe anyone. */
export function unsubscribe(context: PageContext) {
  const unsubscribeLinks = lazy(() => openUnsubscribeLinks(context.store, context.baseUrl, context.now));
  const show = (c: Context, title: string, body: Html, status: SendOptions['status'] = 200) => {
    const page = layout({
      title,
      description: title,
      path: '/unsubscribe',
      baseUrl: context.baseUrl,
      noindex: true,
      body,
    });
    return sendPage(c, page, { status, cacheControl: 'no-store' });
  };
  const parametersOf = (c: Context) => ({
    to: (c.req.query('to') ?? '').slice(0, MAX_LENGTH),
    key: (c.req.query('key') ?? '').slice(0, MAX_LENGTH),
  });

  return {
    get(c: Context): Promise<Response> {
      const { to, key } = parametersOf(c);
      if (!to || !key) return show(c, 'This link is incomplete', incomplete(), 400);
      return show(
        c,
        'Unsubscribe',
        html`<h1>Unsubscribe?</h1>
          <p class="lead">
            We only e-mail ${to} before a change that could break something you use, or when a make’s stickers
            stop. If you unsubscribe, we won’t e-mail you again.
          </p>
          <form
            method="post"
            action="/unsubscribe?to=${encodeURIComponent(to)}&key=${encodeURIComponent(key)}"
          >
            <div class="actions"><button class="button">Unsubscribe</button></div>
          </form>`,
      );
    },
    /** Sent by the button, and by mail programs as `List-Unsubscribe=One-Click` (RFC 8058). */
    async post(c: Context): Promise<Response> {
      const { to, key } = parametersOf(c);
      const ended = to && key ? await (await unsubscribeLinks()).accept(to, key) : false;
      if (!ended) return show(c, 'This link is incomplete', incomplete(), 400);
      return show(
        c,
        'You’re unsubscribed',
        html`<h1>You’re unsubscribed</h1>
          <p class="lead">We won’t e-mail ${to} again.</p>`,
      );
    },
  };
}

function incomplete(): Html {
  return html`<h1>This link is incomplete</h1>
    <p class="lead">Open the link in our e-mail again, or copy all of it. It ends with a long key.</p>`;
}
