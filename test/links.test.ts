import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceOfFile } from './simulated.ts';
import { isLong } from './size.ts';

/** Crawls the entire site and checks that every link works. */

const BASE = 'http://labels.example';
const service = await serviceOfFile({ BASE_URL: BASE, SOURCE_ORIGIN: 'http://127.0.0.1:9' });

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

function createPictureFilter(): (path: string) => boolean {
  const cars = new Map<string, string>();
  return (path) => {
    const [, vin = '', kind] = PICTURE.exec(path) ?? [];
    if (isLong || kind === undefined) return true;
    if (!cars.has(kind)) cars.set(kind, vin);
    return cars.get(kind) === vin;
  };
}

function linksIn(body: string, type: string): string[] {
  const urls = body.matchAll(new RegExp(`${BASE}(/[^\\s"'<>()\\\\\`\\],]*)?`, 'g'));
  const absolute = [...urls].map(([url]) => url.slice(BASE.length) || '/');
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

test('no link is broken, and every anchor exists on its page', async () => {
  const linkedFrom = new Map<string, string>(START_PATHS.map((path) => [path, 'the start']));
  const queue = [...START_PATHS];
  const broken: string[] = [];
  const bodies = new Map<string, string>();
  const isToFetch = createPictureFilter();
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
    for (const link of linksIn(body, type)) {
      if (linkedFrom.has(link) || NOT_TO_FOLLOW.test(link)) continue;
      linkedFrom.set(link, path);
      queue.push(link);
    }
    assert.ok(linkedFrom.size < 2000, 'the crawl found too many URLs');
  }
  assert.deepEqual(broken, []);
  assert.ok(linkedFrom.size > 120, `only ${linkedFrom.size} URLs were found`);
  for (const expected of [
    '/makes/kia',
    '/docs/limits.md',
    '/errors/still-asking',
    '/schemas/label.json',
    '/compare',
    '/read',
  ]) {
    assert.ok(linkedFrom.has(expected), `nothing links to ${expected}`);
  }
  for (const [path, body] of bodies) {
    for (const [, anchor] of body.matchAll(/href="#([^"]+)"/g)) {
      assert.match(body, new RegExp(`\\bid="${anchor}"`), `${path}#${anchor}`);
    }
  }
});
