import { readdirSync, readFileSync } from 'node:fs';
import { openLibrary, type Library } from '../docs/library.ts';
import type { ApiDocument } from '../docs/api.ts';
import { jsonDocument, type Document } from '../../http/response.ts';
import { apiDocuments } from '../openapi/document.ts';
import type { Policy } from '../../http/limit.ts';
import type { Lookup } from '../../lookup/lookup.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';
import { openStatusBoard, type StatusBoard } from '../status/board.ts';
import type { Store } from '../../store/store.ts';
import { spectralRuleset } from '../openapi/ruleset.ts';
import { statusAtom, llmsFullTxt, llmsTxt, robotsTxt, sitemapXml, securityTxt } from './crawler-files.ts';
import { apisJson, plans, limitsJson, conformance, vocabulary } from './api-metadata.ts';
import { aiCatalog, registryEntry, serverCard, SKILL_PATH, skillFile, skillIndex } from './agent-cards.ts';
import { zipOf } from './zip.ts';

/** Everything that describes the service: documents for programs, documentation pages and the status. */
interface Discovery {
  documents: ReadonlyMap<string, () => MaybePromise<Document>>;
  library: Library;
  board: StatusBoard;
}

interface DiscoveryDependencies {
  baseUrl: string;
  month: string;
  lookup: Lookup;
  store: Store;
  specimens: readonly Specimen[];
  /** Path templates of the pages in the sitemap. */
  sitemap: readonly string[];
  securityContact: string | null;
  limit: Policy | null;
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
): Map<string, () => MaybePromise<Document>> {
  const { baseUrl, library, board, specimens } = dependencies;
  const documents = new Map<string, () => MaybePromise<Document>>();
  const once = (paths: readonly string[], generate: () => Document) => {
    let document: Document | null = null;
    for (const path of paths) documents.set(path, () => (document ??= generate()));
  };

  once(['/robots.txt'], () => ({ type: TEXT, body: utf8(robotsTxt(baseUrl)) }));
  once(['/llms.txt'], () => ({ type: TEXT, body: utf8(llmsTxt(baseUrl, library, specimens)) }));
  once(['/sitemap.xml'], () => ({
    type: 'application/xml',
    body: sitemapXml(baseUrl, dependencies.sitemap, library, specimens),
  }));
  const image = (paths: readonly string[], file: string, type: string) =>
    once(paths, () => ({ type, body: icon(file), cacheControl: CACHE_1_DAY }));
  image(['/icon.svg', '/favicon.svg'], 'icon.svg', 'image/svg+xml');
  image(['/favicon.ico'], 'favicon.ico', 'image/x-icon');
  for (const file of ['apple-touch-icon.png', 'icon-192.png', 'icon-512.png'])
    image([`/${file}`], file, 'image/png');
  once(['/manifest.webmanifest'], () => jsonDocument(webManifest(), 'application/manifest+json'));
  once(['/mcp/server-card'], () => jsonDocument(serverCard(baseUrl), 'application/mcp-server-card+json'));
  once(['/.well-known/mcp/server-card.json'], () => jsonDocument(serverCard(baseUrl)));
  once(['/limits.json'], () => jsonDocument(limitsJson(baseUrl, dependencies.limit)));
  once(['/server.json'], () => jsonDocument(registryEntry(baseUrl)));
  once(['/.well-known/ai-catalog.json'], () => jsonDocument(aiCatalog(baseUrl)));
  once(['/rulesets/spectral.json'], () => jsonDocument(spectralRuleset()));
  once(['/conformance.json'], () => jsonDocument(conformance(baseUrl)));
  once(['/vocabulary.json'], () => jsonDocument(vocabulary(baseUrl)));
  once(['/apis.json'], () => jsonDocument(apisJson(baseUrl, dependencies.securityContact)));
  once(['/plans.json'], () => jsonDocument(plans(baseUrl)));
  once(['/bruno.zip'], () => ({ type: 'application/zip', body: brunoZip(), cacheControl: CACHE_1_DAY }));
  // Some of its pages contain the current status, so it is cached until the next report.
  const full = async () => ({ type: TEXT, body: utf8(await llmsFullTxt(baseUrl, library, specimens)) });
  let cachedFull: { generated: string; document: Promise<Document> } | null = null;
  documents.set('/llms-full.txt', async () => {
    const { generated } = await board.report();
    if (cachedFull?.generated !== generated) {
      const current = (cachedFull = { generated, document: full() });
      current.document.catch(() => (cachedFull = null));
    }
    return cachedFull.document;
  });
  const skill = () => skillFile(library.fill);
  once([SKILL_PATH], () => ({ type: 'text/markdown; charset=utf-8', body: utf8(skill()) }));
  once(['/.well-known/agent-skills/index.json'], () => jsonDocument(skillIndex(baseUrl, skill())));

  // Not cached: its expiry date moves every day.
  documents.set('/.well-known/security.txt', () => ({
    type: TEXT,
    body: utf8(securityTxt(baseUrl, dependencies.securityContact, dependencies.now())),
  }));
  documents.set('/status.json', async () => ({
    ...jsonDocument(await board.report()),
    cacheControl: CACHE_5_SECONDS,
  }));
  documents.set('/status.atom', async () => ({
    type: 'application/atom+xml; charset=utf-8',
    body: statusAtom(await board.report(), baseUrl),
    cacheControl: CACHE_5_SECONDS,
  }));
  return documents;
}

const utf8 = (text: string): Buffer => Buffer.from(text);

/** A file in `icons/`. The PNGs have a margin, because launchers crop the corners. */
function icon(file: string): Buffer {
  return readFileSync(new URL(`icons/${file}`, import.meta.url));
}

function webManifest(): unknown {
  return {
    name: 'Monroney window stickers',
    short_name: 'Monroney',
    description: "Paste a VIN, see the car's original window sticker.",
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    lang: 'en',
    background_color: '#FBFAF7',
    theme_color: '#FBFAF7',
    icons: [
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
      { src: '/icon-192.png', type: 'image/png', sizes: '192x192', purpose: 'any' },
      { src: '/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any maskable' },
    ],
  };
}

const BRUNO = new URL('../../../docs/bruno/', import.meta.url);

/** The Bruno collection as a ZIP archive. */
function brunoZip(): Buffer {
  const names = readdirSync(BRUNO, { recursive: true })
    .map(String)
    .filter((name) => /\.(bru|json)$/.test(name))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
  return zipOf(
    names.map((name) => ({ name: `monroney/${name}`, bytes: readFileSync(new URL(name, BRUNO)) })),
  );
}
