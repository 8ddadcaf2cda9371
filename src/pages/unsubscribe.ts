import type { Context } from 'hono';
import { html } from 'hono/html';
import { openUnsubscribing } from '../contacts/unsubscribe.ts';
import { lazy } from '../lib/single-flight.ts';
import { layout, type Html } from './layout.ts';
import type { PageParts } from './parts.ts';
import { sendPage, type Sending } from './send.ts';

/** A mailbox of at most 254 characters, and a key of a fixed length: nothing longer is looked at. */
const MOST = 300;

/** GET asks, POST ends the mails: programs that look into links must not unsubscribe anyone. */
export function unsubscribe(parts: PageParts) {
  const unsubscribing = lazy(() => openUnsubscribing(parts.store, parts.baseUrl, parts.now));
  const show = (c: Context, title: string, body: Html, status: Sending['status'] = 200) => {
    const page = layout({
      title,
      description: title,
      path: '/unsubscribe',
      baseUrl: parts.baseUrl,
      noindex: true,
      body,
    });
    return sendPage(c, page, { status, cacheControl: 'no-store' });
  };
  const given = (c: Context) => ({
    to: (c.req.query('to') ?? '').slice(0, MOST),
    key: (c.req.query('key') ?? '').slice(0, MOST),
  });

  return {
    get(c: Context): Promise<Response> {
      const { to, key } = given(c);
      if (!to || !key) return show(c, 'This link is incomplete', incomplete(), 400);
      return show(
        c,
        'End the notices',
        html`<h1>End the notices?</h1>
          <p class="lead">
            We only write to ${to} before a change could break something you use. If you unsubscribe, we won’t
            write again.
          </p>
          <form
            method="post"
            action="/unsubscribe?to=${encodeURIComponent(to)}&key=${encodeURIComponent(key)}"
          >
            <div class="actions"><button class="button">End the notices</button></div>
          </form>`,
      );
    },
    /** From the button, and from mail programs that send `List-Unsubscribe=One-Click` (RFC 8058). */
    async post(c: Context): Promise<Response> {
      const { to, key } = given(c);
      const ended = to && key ? await (await unsubscribing()).accept(to, key) : false;
      if (!ended) return show(c, 'This link is incomplete', incomplete(), 400);
      return show(
        c,
        'No more notices',
        html`<h1>No more notices</h1>
          <p class="lead">We won’t write to ${to} again.</p>`,
      );
    },
  };
}

function incomplete(): Html {
  return html`<h1>This link is incomplete</h1>
    <p class="lead">Open the link in the e-mail again, or copy all of it. It ends with a long key.</p>`;
}
