import type { Context, Hono } from 'hono';
import { makeEntries, UNPUBLISHED } from '../../site/docs/makes.ts';
import { makeSlug } from '../../lookup/coverage.ts';
import type { DocPage } from '../../site/docs/page.ts';
import { catalogLink } from '../../http/headers.ts';
import { html, type Html } from '../html.ts';
import { SCRIPTS } from '../assets.ts';
import {
  sendProblem,
  finish,
  sendFinished,
  type FinishedPage,
  prefersMarkdown,
  sendMarkdown,
} from '../send.ts';
import { layout } from '../layout.ts';
import type { PageEnv, PageContext } from '../page-context.ts';
import { apiBody } from './api.ts';
import { contentsBody, docBody } from './doc.ts';
import { makeBody, makesBody, unpublishedBody } from './makes.ts';
import { statusBody, statusDescription } from './status.ts';

/** URLs people guess, and the page they mean. */
export const REDIRECTS: Readonly<Record<string, string>> = {
  '/terms': '/docs/terms',
  '/privacy': '/docs/privacy',
  '/support': '/docs/support',
  '/pricing': '/docs/pricing',
  '/changelog': '/docs/changelog',
  '/limits': '/docs/limits',
  '/errors': '/docs/errors',
  '/api': '/docs/api',
  '/docs/connect': '/connect',
  '/docs/status': '/status',
  '/coverage': '/makes',
  '/how-it-works': '/docs/how-to-read-a-sticker',
  '/why-no-window-sticker': '/docs/why-no-window-sticker',
  '/monroney-label': '/docs/monroney-label',
  '/api-docs': '/docs/api',
  '/make': '/makes',
};

/** Documentation, makes and status. Each page is rendered once per version of its content. */
export function registerDocuments(app: Hono<PageEnv>, context: PageContext): void {
  for (const page of context.library.pages.values()) {
    const send = pageSender(page, context);
    app.get(page.path, (c) =>
      prefersMarkdown(c.req.header('accept')) ? sendMarkdown(c, page, context) : send(c),
    );
    app.get(`${page.path}.md`, (c) => sendMarkdown(c, page, context));
  }
  for (const [from, to] of Object.entries(REDIRECTS)) app.get(from, (c) => c.redirect(to, 308));
  // Makes as people write them: /makes/Ford, /make/Alfa%20Romeo.
  app.get('/make/:make', (c, next) => {
    const path = `/makes/${makeSlug(c.req.param('make'))}`;
    return context.library.pages.has(path) ? c.redirect(path, 308) : next();
  });
  app.get('/makes/:make', (c, next) => {
    const path = `/makes/${makeSlug(c.req.param('make'))}`;
    return path !== c.req.path && context.library.pages.has(path) ? c.redirect(path, 308) : next();
  });
  // Clients look here for sign-in metadata. They get a problem document, never a page.
  app.all('/.well-known/*', (c) =>
    sendProblem(c, context, { reason: 'not-found', detail: 'There is no document at this URL.' }),
  );
}

function pageSender(page: DocPage, context: PageContext): (c: Context) => Promise<Response> {
  const body = bodyOf(page, context);
  let cached: { version: string; page: Promise<FinishedPage> } | null = null;
  return async (c) => {
    const version = await body.version();
    if (cached?.version !== version) {
      const rendered = render(page, body, context);
      cached = { version, page: rendered };
      rendered.catch(() => (cached = null));
    }
    return sendFinished(c, await cached.page, {
      headers: {
        Link: `<${page.path}.md>; rel="alternate"; type="text/markdown", ${catalogLink(context.baseUrl)}`,
      },
    });
  };
}

async function render(page: DocPage, body: Body, context: PageContext): Promise<FinishedPage> {
  const { path, title } = page;
  const feed = html`<link
    rel="alternate"
    type="application/atom+xml"
    href="/status.atom"
    title="Status changes"
  />`;
  return finish(
    layout({
      title,
      path,
      baseUrl: context.baseUrl,
      description: body.description ? await body.description() : page.description,
      head: html`<link rel="alternate" type="text/markdown" href="${path}.md" />
        ${path === '/status' ? feed : ''}`,
      scripts: body.scripts ?? [SCRIPTS.copy],
      body: await body.render(),
    }),
  );
}

interface Body {
  /** Changes whenever the page must be rendered again. */
  version(): Promise<string> | string;
  render(): Promise<Html> | Html;
  description?(): Promise<string>;
  scripts?: readonly string[];
}

const CONSTANT = () => '';

function bodyOf(page: DocPage, context: PageContext): Body {
  const { board } = context;
  const reportTime = async () => (await board.report()).generated;
  if (page.path === '/status') {
    return {
      version: reportTime,
      render: async () => statusBody(await board.report()),
      description: async () => statusDescription(await board.report()),
      scripts: [],
    };
  }
  if (page.path === '/docs/api') {
    return { version: CONSTANT, render: () => apiBody(context), scripts: [SCRIPTS.copy, SCRIPTS.tryIt] };
  }
  if (page.path === '/docs') return { version: CONSTANT, render: () => contentsBody(context), scripts: [] };
  if (page.path === '/makes') return { version: reportTime, render: () => makesBody(context), scripts: [] };
  const slug = /^\/makes\/(.+)$/.exec(page.path)?.[1];
  if (slug !== undefined) {
    const unpublished = UNPUBLISHED.find(({ make }) => makeSlug(make) === slug);
    if (unpublished) return { version: CONSTANT, render: () => unpublishedBody(unpublished), scripts: [] };
    const entry = async () => (await makeEntries(context)).find((candidate) => candidate.slug === slug)!;
    return { version: reportTime, render: async () => makeBody(await entry()), scripts: [] };
  }
  return { version: CONSTANT, render: () => docBody(page, context) };
}
