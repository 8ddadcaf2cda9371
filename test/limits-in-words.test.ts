import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { specimens } from '../src/lookup/specimens/index.ts';
import { tools } from '../src/mcp/tools.ts';
import { crawl } from './crawl.ts';
import { call, request } from './mcp-client.ts';
import { startService, type Service } from './service.ts';

/** What the service says about its limits is what it does. Everything that it serves is searched. */

async function startWithLimit(limit: string, t: TestContext): Promise<Service> {
  const env = { SOURCE_ORIGIN: 'http://127.0.0.1:9', LIMIT: limit, CONTACT_DAYS: '33' };
  const service = await startService(env);
  t.after(() => service.close());
  return service;
}

const vinOf = (state: string, n = 0) => specimens.filter((one) => one.state === state)[n]!.vin;

const textAt = async (service: Service, path: string, accept = '*/*') =>
  (await service.get(path, { headers: { accept } })).text();

/** Every page and document, and every list and example of the tools, by its path or name. */
async function everythingSaid(service: Service): Promise<Map<string, string>> {
  const { bodies } = await crawl(service, service.origin, { pictures: false });
  const paths = [...bodies.keys()];
  for (const path of paths)
    if (/^\/($|(docs|makes|connect|errors)\b)/.test(path))
      bodies.set(`${path} as Markdown`, await textAt(service, path, 'text/markdown'));
  for (const path of ['/skills/window-sticker/SKILL.md', '/limits.json', '/llms-full.txt'])
    bodies.set(path, await textAt(service, path));
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])
    bodies.set(method, JSON.stringify(await request(service, '2025-11-25', method)));
  const vins = { held: vinOf('held'), another: vinOf('held', 1), none: vinOf('none') };
  for (const { name, example } of tools)
    bodies.set(name, JSON.stringify(await call(service, name, example(vins))));
  return bodies;
}

/** The lines that match, with where they are. */
function linesWith(pattern: RegExp, bodies: ReadonlyMap<string, string>): string[] {
  return [...bodies].flatMap(([path, body]) =>
    [...body.matchAll(pattern)].map(
      ({ index }) => `${path}: ${body.slice(Math.max(0, index - 40), index + 60).replace(/\s+/g, ' ')}`,
    ),
  );
}

const DEFAULT_LIMIT =
  /(?<!one in )\b(?:10|ten) requests\b|\b1[01]th request|\beleventh\b|q=10\b|w=10\b|"requests": ?10\b|blocked for 10 seconds|400 days/gi;

/** Those of the API, of new stickers and of pages. A status page may say that requests were made. */
const ANY_LIMIT =
  /\b\d+ requests? in \d|\b(?:20|twenty) (?:fetches|new|of those|a minute)|\b300 (?:requests|in|a|of)\b|\b(?:5|20) at once|blocked for|RateLimit-Policy: "/gi;

test('an instance with another limit says so everywhere, and nothing names the default', async (t) => {
  const service = await startWithLimit('3/60s', t);
  const said = await everythingSaid(service);
  assert.ok(said.size > 200, `only ${said.size} texts`);
  assert.deepEqual(linesWith(DEFAULT_LIMIT, said), []);
  assert.deepEqual(linesWith(/\{\{[#^/]?\w+\}\}/g, said), []);
  for (const path of [
    '/ as Markdown',
    '/llms.txt',
    '/openapi.json',
    '/docs/api',
    '/docs/limits',
    '/docs/limits as Markdown',
    '/docs/nhtsa-api',
    '/docs/on-your-site',
    '/docs/pricing',
    '/skills/window-sticker/SKILL.md',
  ])
    assert.match(said.get(path)!, /\b3 requests in 60 seconds\b/, path);
  assert.match(said.get('/docs/privacy as Markdown')!, /at most 2 minutes for `\/api\/`.*after 33 days/s);
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const lookUp = () => service.get(`/api/v1/vin/${vinOf('held')}`, { headers });
  for (let n = 0; n < 3; n++) assert.equal((await lookUp()).status, 200);
  const { detail } = (await (await lookUp()).json()) as { detail: string };
  assert.match(detail, /^Your IP address sent more than 3 requests in 60 seconds\./);
});

test('an instance without limits says so, and names none', async (t) => {
  const service = await startWithLimit('off', t);
  const said = await everythingSaid(service);
  assert.deepEqual(linesWith(ANY_LIMIT, said), []);
  assert.deepEqual(linesWith(DEFAULT_LIMIT, said), []);
  for (const path of ['/ as Markdown', '/llms.txt', '/openapi.json', '/docs/api', '/docs/pricing'])
    assert.match(said.get(path)!, /This instance has no limit on requests\./, path);
  assert.match(said.get('/docs/limits')!, /limits neither requests nor new stickers/);
  assert.deepEqual((JSON.parse(said.get('/limits.json')!) as { limits: unknown[] }).limits, []);
});
