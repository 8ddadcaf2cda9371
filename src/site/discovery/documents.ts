import { readdirSync, readFileSync } from 'node:fs';
import { asciiJson } from '../../http/response.ts';
import type { Document } from '../../http/response.ts';
import type { Library } from '../docs/library.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';
import { statusAtom } from '../status/atom.ts';
import type { StatusBoard } from '../status/board.ts';
import type { Policy } from '../../http/limit.ts';
import { spectralRuleset } from '../openapi/ruleset.ts';
import { apisJson, plans } from './apis.ts';
import { aiCatalog, registryEntry, serverCard } from './cards.ts';
import { conformance, vocabulary } from './conformance.ts';
import { limitsJson } from './limits.ts';
import { icon, webManifest } from './icon.ts';
import { securityTxt } from './security.ts';
import { SKILL_PATH, skillFile, skillIndex } from './skill.ts';
import { llmsFullTxt, llmsTxt, robotsTxt, sitemapXml } from './texts.ts';
import { zipOf } from './zip.ts';

const TEXT = 'text/plain; charset=utf-8';
const BRIEFLY = 'public, max-age=5';
const DAY = 'public, max-age=86400';

/** What programs look for at fixed places, each made when it is first asked for. */
export function discoveryDocuments(parts: {
  baseUrl: string;
  library: Library;
  board: StatusBoard;
  specimens: readonly Specimen[];
  sitemap: readonly string[];
  securityContact: string | null;
  limit: Policy | null;
  now(): number;
}): Map<string, () => MaybePromise<Document>> {
  const { baseUrl, library, board, specimens } = parts;
  const documents = new Map<string, () => MaybePromise<Document>>();
  const once = (paths: readonly string[], make: () => Document) => {
    let made: Document | null = null;
    for (const path of paths) documents.set(path, () => (made ??= make()));
  };

  once(['/robots.txt'], () => ({ type: TEXT, body: utf8(robotsTxt(baseUrl)) }));
  once(['/llms.txt'], () => ({ type: TEXT, body: utf8(llmsTxt(baseUrl, library, specimens)) }));
  once(['/sitemap.xml'], () => ({
    type: 'application/xml',
    body: sitemapXml(baseUrl, parts.sitemap, library, specimens),
  }));
  const image = (paths: readonly string[], file: string, type: string) =>
    once(paths, () => ({ type, body: icon(file), cacheControl: DAY }));
  image(['/icon.svg', '/favicon.svg'], 'icon.svg', 'image/svg+xml');
  image(['/favicon.ico'], 'favicon.ico', 'image/x-icon');
  for (const file of ['apple-touch-icon.png', 'icon-192.png', 'icon-512.png'])
    image([`/${file}`], file, 'image/png');
  once(['/manifest.webmanifest'], () => json(webManifest(), 'application/manifest+json'));
  once(['/mcp/server-card'], () => json(serverCard(baseUrl), 'application/mcp-server-card+json'));
  once(['/.well-known/mcp/server-card.json'], () => json(serverCard(baseUrl)));
  once(['/limits.json'], () => json(limitsJson(baseUrl, parts.limit)));
  once(['/server.json'], () => json(registryEntry(baseUrl)));
  once(['/.well-known/ai-catalog.json'], () => json(aiCatalog(baseUrl)));
  once(['/rulesets/spectral.json'], () => json(spectralRuleset()));
  once(['/conformance.json'], () => json(conformance(baseUrl)));
  once(['/vocabulary.json'], () => json(vocabulary(baseUrl)));
  once(['/apis.json'], () => json(apisJson(baseUrl, parts.securityContact)));
  once(['/plans.json'], () => json(plans(baseUrl)));
  once(['/bruno.zip'], () => ({ type: 'application/zip', body: brunoZip(), cacheControl: DAY }));
  // Some of its pages change with the status, so it is put together each time.
  documents.set('/llms-full.txt', async () => ({
    type: TEXT,
    body: utf8(await llmsFullTxt(baseUrl, library, specimens)),
  }));
  const skill = () => skillFile(library.fill);
  once([SKILL_PATH], () => ({ type: 'text/markdown; charset=utf-8', body: utf8(skill()) }));
  once(['/.well-known/agent-skills/index.json'], () => json(skillIndex(baseUrl, skill())));

  // Its date moves on by itself, so it is written anew each time.
  documents.set('/.well-known/security.txt', () => ({
    type: TEXT,
    body: utf8(securityTxt(baseUrl, parts.securityContact, parts.now())),
  }));
  documents.set('/status.json', async () => ({ ...json(await board.report()), cacheControl: BRIEFLY }));
  documents.set('/status.atom', async () => ({
    type: 'application/atom+xml; charset=utf-8',
    body: statusAtom(await board.report(), baseUrl),
    cacheControl: BRIEFLY,
  }));
  return documents;
}

const utf8 = (text: string): Buffer => Buffer.from(text);

function json(value: unknown, type = 'application/json'): Document {
  return { type, body: asciiJson(value) };
}

const BRUNO = new URL('../../../docs/bruno/', import.meta.url);

/** The collection as it is in the source, in one file. */
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
