import type { FastifyRequest } from 'fastify';
import type { Answer } from '../http/problems.ts';
import { openUnsubscribeLinks } from '../contacts/unsubscribe.ts';
import { lazy } from '../lib/promises.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import { queryOf, type PageContext, type PageHandler } from './page-context.ts';
import { pageResponse, type PageOptions } from './respond.ts';

/** An e-mail address has at most 254 characters, and the key is shorter. */
const MAX_LENGTH = 300;

/** GET asks for confirmation, POST unsubscribes, so that programs that follow links don't unsubscribe anyone. */
export function unsubscribe(context: PageContext): PageHandler {
  const unsubscribeLinks = lazy(() => openUnsubscribeLinks(context.store, context.baseUrl, context.now));
  const show = (request: FastifyRequest, title: string, body: Html, status: PageOptions['status'] = 200) => {
    const page = layout({
      title,
      description: title,
      path: '/unsubscribe',
      baseUrl: context.baseUrl,
      noindex: true,
      body,
    });
    return pageResponse(request, page, { status, cacheControl: 'no-store' });
  };
  /** Nothing of it is shown: anyone can make up such a link. */
  const parametersOf = (request: FastifyRequest) => {
    const [to = '', key = ''] = ['to', 'key'].map((name) => queryOf(request, name) ?? '');
    return Math.max(to.length, key.length) > MAX_LENGTH ? { to: '', key: '' } : { to, key };
  };

  function ask(request: FastifyRequest): Answer {
    const { to, key } = parametersOf(request);
    if (!to || !key) return show(request, 'This link is incomplete', incomplete(), 400);
    return show(
      request,
      'Unsubscribe',
      html`<h1>Unsubscribe?</h1>
        <p class="lead">
          We only e-mail you before a change that could break something you use, or when a make’s stickers
          stop. If you unsubscribe, we won’t e-mail you again.
        </p>
        <form method="post">
          <div class="actions"><button class="button">Unsubscribe</button></div>
        </form>`,
    );
  }

  /** Sent by the button, and by mail programs as `List-Unsubscribe=One-Click` (RFC 8058). */
  async function end(request: FastifyRequest): Promise<Answer> {
    const { to, key } = parametersOf(request);
    const ended = to && key ? await (await unsubscribeLinks()).accept(to, key) : false;
    if (!ended) return show(request, 'This link is incomplete', incomplete(), 400);
    return show(
      request,
      'You’re unsubscribed',
      html`<h1>You’re unsubscribed</h1>
        <p class="lead">We won’t e-mail you again.</p>`,
    );
  }

  return async (request) => (request.method === 'POST' ? end(request) : ask(request));
}

function incomplete(): Html {
  return html`<h1>This link is incomplete</h1>
    <p class="lead">Open the link in our e-mail again, or copy all of it. It ends with a long key.</p>`;
}
