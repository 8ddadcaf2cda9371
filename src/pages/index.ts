import type { FastifyPluginCallback } from 'fastify';
import type { ProblemOptions } from '../http/problems.ts';
import type { Route, Row } from '../http/route.ts';
import { assetResponse, BARCODE_BASE, findAsset } from './assets.ts';
import { findModule, MODULES_BASE } from './browser-modules.ts';
import { FIELD_SETTINGS, fieldSettings, PARTS_BASE } from './vin-assets.ts';
import { OWN_PATHS } from '../site/docs/library.ts';
import { documents, errors, make, REDIRECTS } from './documents/documents.ts';
import { queryTextOf, type PageContext, type PageHandler } from './page-context.ts';
import { notFound, presentProblem, redirect, wantsHtml } from './respond.ts';

export type { PageContext } from './page-context.ts';

/** One row of the table of pages. */
interface PageRoute extends Pick<Route, 'template' | 'methods' | 'isCrossOrigin' | 'present' | 'isEmbedded'> {
  /** Creates the handler. */
  open(context: PageContext): PageHandler;
  /** Listed in the sitemap, with the specimens for `{vin}`. */
  inSitemap?: true;
  /** Also as Markdown, with `.md` at the end of the path. */
  hasMarkdown?: true;
}

/**
 * The route table of the pages. The router, the log's templates and the sitemap are derived from it. Each line imports its
 * file, so that adding a page takes one file and one line.
 */
const PAGES: readonly PageRoute[] = [
  { template: '/', open: (await import('./home.ts')).home, inSitemap: true },
  { template: '/find', open: (await import('./find.ts')).find },
  { template: '/window-sticker/{vin}', open: (await import('./sticker.ts')).sticker, inSitemap: true },
  {
    template: '/window-sticker/{vin}/picture',
    open: (await import('./sticker-images.ts')).picture,
    present: (await import('./sticker-images.ts')).presentAsPicture,
    isEmbedded: true,
  },
  { template: '/window-sticker/{vin}/preview.png', open: (await import('./sticker-images.ts')).linkPreview },
  { template: '/window-sticker/{vin}/ready', open: (await import('./no-label.ts')).ready },
  {
    template: '/embed/{vin}',
    open: (await import('./embed.ts')).embed,
    present: (await import('./embed.ts')).presentInFrame,
    isEmbedded: true,
  },
  {
    template: '/badge/{vin}.svg',
    open: (await import('./embed.ts')).badge,
    present: (await import('./embed.ts')).presentAsBadge,
    isEmbedded: true,
  },
  { template: '/read', open: (await import('./read.ts')).read, inSitemap: true },
  { template: '/inventory', open: (await import('./inventory.ts')).inventory, inSitemap: true },
  { template: '/compare', open: (await import('./compare.ts')).compare, inSitemap: true },
  { template: '/contact', open: (await import('./contact.ts')).contact, inSitemap: true },
  { template: '/compare/preview.png', open: (await import('./sticker-images.ts')).comparePreview },
  {
    template: '/unsubscribe',
    open: (await import('./unsubscribe.ts')).unsubscribe,
    methods: ['GET', 'POST'],
  },
  { template: '/makes', open: documents, hasMarkdown: true },
  { template: '/makes/{make}', open: documents, hasMarkdown: true },
  { template: '/make/{make}', open: make },
  { template: '/status', open: documents, hasMarkdown: true },
  { template: '/docs', open: documents, hasMarkdown: true },
  { template: '/docs/{page}', open: documents, hasMarkdown: true },
  ...OWN_PATHS.values().map((template): PageRoute => ({ template, open: documents, hasMarkdown: true })),
  { template: '/errors/{reason}', open: errors, hasMarkdown: true, isCrossOrigin: true },
  ...Object.entries(REDIRECTS).map(([template, to]): PageRoute => ({
    template,
    open: () => async (request) => redirect(request, to, 308),
  })),
];

export const PAGE_TEMPLATES: readonly string[] = PAGES.map(({ template }) => template);

/** Templates of the pages in the sitemap. */
export const SITEMAP: readonly string[] = PAGES.filter(({ inSitemap }) => inSitemap).map(
  ({ template }) => template,
);

export const pages: FastifyPluginCallback<PageContext> = (app, context, done) => {
  const serve = (route: Omit<Route, 'limit'>) =>
    app.serve({ limit: 'page', present: presentProblem, ...route });
  const markdown = documents(context);
  for (const { open, inSitemap: _, hasMarkdown, ...route } of PAGES) {
    const handle = open(context);
    serve({ ...route, handle });
    if (hasMarkdown) serve({ template: `${route.template}.md`, isCrossOrigin: true, handle: markdown });
    // `/api/` is the API's.
    if (route.template !== '/' && route.template !== '/api')
      serve({ template: `${route.template}/`, handle: withoutSlash });
  }
  app.serve({
    template: '/assets/*',
    // Style sheets and scripts belong to a page that was counted.
    limit: 'none',
    find: assetRows(context),
    handle: () => NO_FILE,
  });
  // Clients look here for sign-in metadata. They get a problem document, never a page.
  app.serve({
    template: '/.well-known/*',
    methods: ['*'],
    limit: 'page',
    isCrossOrigin: true,
    handle: () => ({ reason: 'not-found', detail: 'There is no document at this URL.' }),
  });
  serve({ template: '/*', methods: ['*'], isCrossOrigin: true, handle: unknown });
  done();
};

const withoutSlash: PageHandler = async (request) => {
  if (request.path.endsWith('//')) return notFound(request);
  return redirect(request, request.path.slice(0, -1) + queryTextOf(request), 308);
};

/** People guess URLs such as `/vin/{vin}`, or put a VIN right after our name. */
const VIN_AT_END = /\/([A-HJ-NPR-Z0-9]{17})\/?$/i;

const unknown: PageHandler = async (request) => {
  const vin = VIN_AT_END.exec(request.path)?.[1];
  if (vin && wantsHtml(request)) return redirect(request, `/window-sticker/${vin.toUpperCase()}`, 308);
  return notFound(request);
};

const NO_FILE: ProblemOptions = { reason: 'not-found', detail: 'There is no file at this URL.' };

/** The folders of static files. Their names contain hashes, which the log doesn't need. */
function assetRows(context: PageContext): (path: string) => Row {
  const { vinAssets } = context;
  const row = (template: string, find: typeof vinAssets.find): Row => ({
    template,
    async handle(request) {
      const asset = await find(request.path);
      return asset ? assetResponse(request, asset) : NO_FILE;
    },
  });
  const rows: readonly [folder: string, Row][] = [
    [FIELD_SETTINGS, row('/assets/vin-field-settings.js', async () => fieldSettings(context))],
    [BARCODE_BASE, row('/assets/barcode/{file}', async (path) => findAsset(path))],
    [MODULES_BASE, row('/assets/modules/{file}', findModule)],
    [PARTS_BASE, row('/assets/vin/{file}', vinAssets.find)],
    ['/assets/', row('/assets/{file}', async (path) => findAsset(path))],
  ];
  return (path) => rows.find(([folder]) => path.startsWith(folder))![1];
}
