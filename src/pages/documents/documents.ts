import type { FastifyRequest } from 'fastify';
import { OWN_PATHS } from '../../site/docs/library.ts';
import { makeEntries, UNPUBLISHED } from '../../site/docs/makes.ts';
import { makeSlug } from '../../lookup/coverage.ts';
import type { DocPage } from '../../site/docs/page.ts';
import { errorDocument, wantsPage } from '../../http/service-routes.ts';
import { catalogLink } from '../../http/response.ts';
import type { Answer } from '../../http/problems.ts';
import { html, type Html } from '../html.ts';
import { SCRIPTS } from '../assets.ts';
import {
  finish,
  finishedResponse,
  markdownResponse,
  notFound,
  prefersMarkdown,
  redirect,
  type FinishedPage,
} from '../respond.ts';
import { layout } from '../layout.ts';
import { paramOf, type PageContext, type PageHandler } from '../page-context.ts';
import { apiBody } from './api.ts';
import { contentsBody, docBody, guideBody, guidesOf } from './doc.ts';
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
  ...Object.fromEntries(OWN_PATHS),
  '/docs/status': '/status',
  '/coverage': '/makes',
  '/how-it-works': '/docs/how-to-read-a-sticker',
  '/why-no-window-sticker': '/docs/why-no-window-sticker',
  '/monroney-label': '/docs/monroney-label',
  '/api-docs': '/docs/api',
  '/make': '/makes',
};

/** Documentation, makes and status, as HTML or as Markdown. */
export function documents(context: PageContext): PageHandler {
  const { pages } = context.library;
  const responders = new Map<string, ReturnType<typeof pageResponder>>();
  return async (request) => {
    const path = request.path.replace(/\.md$/, '');
    const page = pages.get(path);
    if (!page) return make(context)(request);
    if (path !== request.path || prefersMarkdown(request.headers.accept))
      return markdownResponse(request, page);
    let respond = responders.get(path);
    if (!respond) responders.set(path, (respond = pageResponder(page, context)));
    return respond(request);
  };
}

/** An error code: the URL in a problem's `type`. Programs get it as JSON. */
export function errors(context: PageContext): PageHandler {
  const page = documents(context);
  return async (request) => {
    const { headerSets } = request.server;
    const found = wantsPage(request) ? null : errorDocument(request, paramOf(request, 'reason'), headerSets);
    return found ?? page(request);
  };
}

/** A make as people write it: `/makes/Ford`, `/make/Alfa%20Romeo`. */
export function make({ library }: PageContext): PageHandler {
  return async (request) => {
    const path = `/makes/${makeSlug(paramOf(request, 'make'))}`;
    return library.pages.has(path) ? redirect(request, path, 308) : notFound(request);
  };
}

/** Renders a page once per version of its content. */
function pageResponder(page: DocPage, context: PageContext): (request: FastifyRequest) => Promise<Answer> {
  const body = bodyOf(page, context);
  const link = `<${page.path}.md>; rel="alternate"; type="text/markdown", ${catalogLink(context.baseUrl)}`;
  let cached: { version: string; page: Promise<FinishedPage> } | null = null;
  return async (request) => {
    const version = (await body.version?.()) ?? '';
    if (cached?.version !== version) {
      const rendered = render(page, body, context);
      cached = { version, page: rendered };
      rendered.catch(() => (cached = null));
    }
    return finishedResponse(request, await cached.page, { headers: { link } });
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
      search: !body.hasVinField,
      scripts: body.hasVinField ? [] : (body.scripts ?? [SCRIPTS.copy]),
      body: await body.render(),
    }),
  );
}

interface Body {
  /** Changes whenever the page must be rendered again. Without it, once is enough. */
  version?(): Promise<string>;
  render(): Promise<Html> | Html;
  description?(): Promise<string>;
  scripts?: readonly string[];
  /** Whether the page itself has the VIN field, so that the header needs none. */
  hasVinField?: boolean;
}

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
    return { render: () => apiBody(context), scripts: [SCRIPTS.copy, SCRIPTS.tryIt] };
  }
  if (page.path === '/docs') return { render: () => contentsBody(context), scripts: [] };
  if (page.path === '/makes') return { version: reportTime, render: () => makesBody(context), scripts: [] };
  const slug = /^\/makes\/(.+)$/.exec(page.path)?.[1];
  if (slug !== undefined) {
    const unpublished = UNPUBLISHED.find(({ make }) => makeSlug(make) === slug);
    if (unpublished) return { render: () => unpublishedBody(unpublished), hasVinField: true };
    const entry = async () => (await makeEntries(context)).find((candidate) => candidate.slug === slug)!;
    return { version: reportTime, render: async () => makeBody(await entry()), hasVinField: true };
  }
  if (guidesOf(context).includes(page)) return { render: () => guideBody(page, context), hasVinField: true };
  return { render: () => docBody(page, context) };
}
