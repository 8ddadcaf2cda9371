import assert from 'node:assert/strict';
import type { Service } from './service.ts';
import { isLong } from './size.ts';

/** Where the crawl starts. It finds everything else by following links. */
const START_PATHS = [
  '/',
  '/robots.txt',
  '/llms.txt',
  '/openapi.json',
  '/.well-known/api-catalog',
  '/.well-known/security.txt',
  '/.well-known/agent-skills/index.json',
];

/** URLs that don't support GET, or that contain placeholders. */
const NOT_TO_FOLLOW = /^\/mcp$|ValuesBatch$|^\/api\/v1\/decode$|^\/api\/v1\/$|[{}]|%7B/i;

/**
 * Drawing a picture takes up to half a second of CPU time. Except in a long run, one car of each kind of picture is enough:
 * the URLs of the others come from the same code.
 */
const PICTURE = /^\/(?:window-sticker|api\/sticker)\/(\w{17})(\/(?:picture|preview).*)$/;

function createPictureFilter(pictures: boolean): (path: string) => boolean {
  const cars = new Map<string, string>();
  return (path) => {
    const [, vin = '', kind] = PICTURE.exec(path) ?? [];
    if (kind === undefined) return true;
    if (!pictures || isLong) return pictures;
    if (!cars.has(kind)) cars.set(kind, vin);
    return cars.get(kind) === vin;
  };
}

function linksIn(body: string, type: string, base: string): string[] {
  const urls = body.matchAll(new RegExp(`${base}(/[^\\s"'<>()\\\\\`\\],]*)?`, 'g'));
  const absolute = [...urls].map(([url]) => url.slice(base.length) || '/');
  const inHtml = /html/.test(type)
    ? [...body.matchAll(/\b(?:href|src|action)="(\/[^"]*)"/g)].map(([, path]) => path!)
    : [];
  return [...absolute, ...inHtml].map((path) =>
    path
      .replaceAll('&amp;', '&')
      .replace(/&(?:quot|#39);.*$/, '')
      .replace(/#.*$/, '')
      .replace(/[.:;]+$/, ''),
  );
}

/** Fetches every page and document that can be reached by links from the start. `base` is its `BASE_URL`. */
export async function crawl(service: Service, base: string, { pictures = true } = {}) {
  const linkedFrom = new Map<string, string>(START_PATHS.map((path) => [path, 'the start']));
  const queue = [...START_PATHS];
  const broken: string[] = [];
  const bodies = new Map<string, string>();
  const isToFetch = createPictureFilter(pictures);
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (!isToFetch(path)) continue;
    const response = await service.get(path, { headers: { accept: 'text/html, */*;q=0.5' } });
    const type = response.headers.get('content-type') ?? '';
    // 404 and 503 are results of a lookup (specimens, or VINs suggested for a mistyped one), not broken links.
    const aboutVin = /^\/(api|window-sticker)\/.*[A-HJ-NPR-Z0-9]{17}/.test(path);
    if (response.status !== 200 && !(aboutVin && [404, 503].includes(response.status)))
      broken.push(`${path} is ${response.status}, linked from ${linkedFrom.get(path)}`);
    if (!/text|json|xml|manifest/.test(type)) {
      await response.arrayBuffer();
      continue;
    }
    const body = await response.text();
    bodies.set(path, body);
    for (const link of linksIn(body, type, base)) {
      if (linkedFrom.has(link) || NOT_TO_FOLLOW.test(link)) continue;
      linkedFrom.set(link, path);
      queue.push(link);
    }
    assert.ok(linkedFrom.size < 2000, 'the crawl found too many URLs');
  }
  return { linkedFrom, bodies, broken };
}
