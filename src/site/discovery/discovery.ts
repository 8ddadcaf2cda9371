import { readFileSync } from 'node:fs';
import { openLibrary, type Library } from '../docs/library.ts';
import type { ApiDocument } from '../docs/api.ts';
import { jsonDocument, type Document } from '../../http/response.ts';
import { apiDocuments } from '../openapi/document.ts';
import type { Policy } from '../../http/limit.ts';
import type { Outages } from '../../lookup/source-states.ts';
import type { Lookup } from '../../lookup/find.ts';
import { lazy } from '../../lib/promises.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';
import { openStatusBoard, type StatusBoard } from '../status/board.ts';
import { MAKES_ROUTE, makesResponse, STATUS_ROUTE, type StatusReport } from '../status/report.ts';
import type { Store } from '../../store/store.ts';
import { statusAtom, llmsFullTxt, llmsTxt, robotsTxt, sitemapXml, securityTxt } from './crawler-files.ts';
import { limitsJson } from './limits.ts';
import { aiCatalog, registryEntry, serverCard, SKILL_PATH, skillFile, skillIndex } from './agent-cards.ts';

/** Everything that describes the service: documents for programs, documentation pages and the status. */
interface Discovery {
  documents: ReadonlyMap<string, () => Promise<Document>>;
  library: Library;
  board: StatusBoard;
}

interface DiscoveryDependencies {
  baseUrl: string;
  month: string;
  lookup: Lookup;
  store: Store;
  outages: Outages;
  specimens: readonly Specimen[];
  /** Path templates of the pages in the sitemap. */
  sitemap: readonly string[];
  securityContact: string | null;
  limit: Policy | null;
  contactDays: number;
  now(): number;
}

export function openDiscovery(dependencies: DiscoveryDependencies): Discovery {
  const described = apiDocuments(dependencies);
  const board = openStatusBoard(dependencies);
  const openapi = async () =>
    JSON.parse(String((await described.get('/openapi.json')!()).body)) as ApiDocument;
  const library = openLibrary({ ...dependencies, board, openapi });
  const documents = new Map([...described, ...discoveryDocuments({ ...dependencies, library, board })]);
  return { documents, library, board };
}

const TEXT = 'text/plain; charset=utf-8';
const CACHE_5_SECONDS = 'public, max-age=5';
const CACHE_1_DAY = 'public, max-age=86400';

/** Documents that programs look for at well-known paths, each generated on its first request. */
function discoveryDocuments(
  dependencies: DiscoveryDependencies & Pick<Discovery, 'library' | 'board'>,
): Map<string, () => Promise<Document>> {
  const { baseUrl, library, board, specimens } = dependencies;
  const documents = new Map<string, () => Promise<Document>>();
  const once = (paths: readonly string[], generate: () => Document) => {
    const document = lazy(async () => generate());
    for (const path of paths) documents.set(path, document);
  };

  once(['/robots.txt'], () => ({ type: TEXT, body: utf8(robotsTxt(baseUrl)) }));
  once(['/llms.txt'], () => ({ type: TEXT, body: utf8(llmsTxt(baseUrl, library, specimens)) }));
  once(['/sitemap.xml'], () => ({
    type: 'application/xml',
    body: sitemapXml(baseUrl, dependencies.sitemap, library, specimens),
  }));
  // The PNGs have a margin, because launchers crop the corners.
  const image = (paths: readonly string[], name: string, type: string) =>
    once(paths, () => ({ type, body: file(`icons/${name}`), cacheControl: CACHE_1_DAY }));
  image(['/icon.svg', '/favicon.svg'], 'icon.svg', 'image/svg+xml');
  image(['/favicon.ico'], 'favicon.ico', 'image/x-icon');
  for (const name of ['apple-touch-icon.png', 'icon-192.png', 'icon-512.png'])
    image([`/${name}`], name, 'image/png');
  const manifest = () => JSON.parse(library.fill(String(file('files/manifest.json')))) as object;
  once(['/manifest.webmanifest'], () => jsonDocument(manifest(), 'application/manifest+json'));
  once(['/mcp/server-card'], () => jsonDocument(serverCard(baseUrl), 'application/mcp-server-card+json'));
  once(['/.well-known/mcp/server-card.json'], () => jsonDocument(serverCard(baseUrl)));
  once(['/limits.json'], () => jsonDocument(limitsJson(baseUrl, dependencies.limit)));
  once(['/server.json'], () => jsonDocument(registryEntry(baseUrl)));
  once(['/.well-known/ai-catalog.json'], () => jsonDocument(aiCatalog(baseUrl)));
  /** Made once for each report of the status, not for each request. */
  const perReport = (path: string, make: (report: StatusReport) => Document | Promise<Document>) => {
    let current: { report: StatusReport; document: Promise<Document> } | null = null;
    documents.set(path, async () => {
      const report = await board.report();
      if (current?.report !== report) {
        const made = (current = { report, document: (async () => make(report))() });
        made.document.catch(() => (current = null));
      }
      return current.document;
    });
  };
  // Some of its pages contain the current status.
  perReport('/llms-full.txt', async () => ({
    type: TEXT,
    body: utf8(await llmsFullTxt(baseUrl, library, specimens)),
  }));
  perReport(MAKES_ROUTE.template, (report) => ({
    ...jsonDocument(makesResponse(report)),
    cacheControl: CACHE_5_SECONDS,
  }));
  perReport(STATUS_ROUTE.template, (report) => ({ ...jsonDocument(report), cacheControl: CACHE_5_SECONDS }));
  perReport('/status.atom', (report) => ({
    type: 'application/atom+xml; charset=utf-8',
    body: statusAtom(report, baseUrl),
    cacheControl: CACHE_5_SECONDS,
  }));
  const skill = () => skillFile(library.fill);
  once([SKILL_PATH], () => ({ type: 'text/markdown; charset=utf-8', body: utf8(skill()) }));
  once(['/.well-known/agent-skills/index.json'], () => jsonDocument(skillIndex(baseUrl, skill())));

  // Not cached: its expiry date moves every day.
  documents.set('/.well-known/security.txt', async () => ({
    type: TEXT,
    body: utf8(securityTxt(baseUrl, dependencies.securityContact, dependencies.now())),
  }));
  return documents;
}

const utf8 = (text: string): Buffer => Buffer.from(text);

const file = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
