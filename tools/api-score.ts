/**
 * Scores a running service by the criteria of API graders and careful clients, using only what clients can see:
 * `node tools/api-score.ts https://stickers.example`. All items have equal weight, and all checks within an item.
 */

const VIN = '1FMUK8DH0TG000000';

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}
interface Operation {
  description?: string;
  tags?: string[];
  responses: Record<
    string,
    { $ref?: string; content?: Record<string, { examples?: object; example?: unknown }> }
  >;
}

type Check = [name: string, passes: (get: Get) => Promise<unknown>];
type Get = (path: string, headers?: Record<string, string>, method?: string) => Promise<Response>;

const label = `/api/sticker/${VIN}`;
const lookup = `/api/v1/vin/${VIN}`;
const json = async <T>(get: Get, path: string): Promise<T> => (await get(path)).json() as Promise<T>;
const field = async (get: Get, path: string, name: string): Promise<string> =>
  (await get(path)).headers.get(name) ?? '';
const exists = (path: string): Check => [path, async (get) => (await get(path)).ok];
const html = { accept: 'text/html' };

async function operations(get: Get): Promise<Operation[]> {
  const { paths } = await json<OpenApi>(get, '/openapi.json');
  return Object.values(paths).flatMap((path) => Object.values(path).filter(({ responses }) => responses));
}

/** Doesn't exist yet. Counted so that the score stays honest. */
const missing = (name: string): Check => [name, async () => false];

const ITEMS: Record<string, Check[]> = {
  'problem details': [
    [
      'RFC 9457',
      async (get) =>
        (await field(get, '/api/v1/vin/x', 'content-type')).startsWith('application/problem+json'),
    ],
    ['a stable reason', async (get) => (await json<{ reason: string }>(get, '/api/v1/vin/x')).reason],
    [
      'type resolves',
      async (get) => {
        const { type } = await json<{ type: string }>(get, '/api/v1/vin/x');
        return (await get(new URL(type).pathname)).ok;
      },
    ],
    exists('/schemas/problem.json'),
  ],
  'rate-limit fields': [
    ['RateLimit-Policy', (get) => field(get, lookup, 'ratelimit-policy')],
    ['RateLimit', (get) => field(get, lookup, 'ratelimit')],
    [
      'exposed to other origins',
      async (get) => /ratelimit/i.test(await field(get, lookup, 'access-control-expose-headers')),
    ],
    [
      'Retry-After in the description',
      async (get) => JSON.stringify(await json(get, '/openapi.json')).includes('"Retry-After"'),
    ],
    exists('/limits.json'),
  ],
  validators: [
    ['strong ETag', async (get) => (await field(get, label, 'etag')).startsWith('"')],
    [
      '304',
      async (get) => (await get(label, { 'if-none-match': await field(get, label, 'etag') })).status === 304,
    ],
    ['HEAD', async (get) => (await get(label, {}, 'HEAD')).ok],
    ['206', async (get) => (await get(label, { range: 'bytes=0-9' })).status === 206],
    ['416', async (get) => (await get(label, { range: 'bytes=999999999-' })).status === 416],
    ['Content-Digest', (get) => field(get, label, 'content-digest')],
    [
      'Cache-Control by outcome',
      async (get) =>
        (await field(get, label, 'cache-control')) !== (await field(get, lookup, 'cache-control')),
    ],
  ],
  OpenAPI: [
    ['3.1', async (get) => (await json<{ openapi: string }>(get, '/openapi.json')).openapi.startsWith('3.1')],
    [
      'every operation described',
      async (get) => (await operations(get)).every(({ description }) => description),
    ],
    ['every operation tagged', async (get) => (await operations(get)).every(({ tags }) => tags?.length)],
    [
      'an example for every operation',
      async (get) =>
        (await operations(get)).every(({ responses }) =>
          Object.values(responses).some(
            ({ $ref, content }) =>
              $ref ||
              Object.values(content ?? {}).some(({ examples, example }) => examples || example !== undefined),
          ),
        ),
    ],
    [
      'five components',
      async (get) =>
        Object.values((await json<OpenApi>(get, '/openapi.json')).components).flatMap(Object.keys).length >=
        5,
    ],
    [
      'twenty own rules',
      async (get) =>
        Object.keys((await json<{ rules: object }>(get, '/rulesets/spectral.json')).rules).length >= 20,
    ],
    exists('/vocabulary.json'),
  ],
  'JSON Schema': ['vin-response', 'label', 'problem'].map((name): Check => [
    `${name}: 2020-12, $id resolves`,
    async (get) => {
      const schema = await json<{ $schema: string; $id: string }>(get, `/schemas/${name}.json`);
      return schema.$schema.includes('2020-12') && (await get(new URL(schema.$id).pathname)).ok;
    },
  ]),
  lifecycle: [
    exists('/docs/changelog'),
    exists('/docs/versioning'),
    exists('/docs/roadmap'),
    [
      'Deprecation and Sunset promised',
      async (get) => /Deprecation[^]*Sunset/.test(await (await get('/docs/versioning.md')).text()),
    ],
  ],
  security: [
    [
      'security.txt, not expired',
      async (get) => {
        const expires = /^Expires: (.+)$/m.exec(await (await get('/.well-known/security.txt')).text());
        return Date.parse(expires?.[1] ?? '') > Date.now();
      },
    ],
    exists('/docs/trust'),
  ],
  'pages and status': [
    ...['getting-started', 'terms', 'privacy', 'pricing', 'support'].map((name) => exists(`/docs/${name}`)),
    exists('/plans.json'),
    exists('/status.json'),
    exists('/status.atom'),
    missing('a service level agreement'),
  ],
  'SDK, command, console, collection': [
    missing('a typed client that is published'),
    missing('clients in a second language'),
    missing('a command that is published'),
    ['try-it console', async (get) => (await (await get('/docs/api', html)).text()).includes('try-it')],
    exists('/bruno.zip'),
    exists('/docs/specimens'),
  ],
  agents: [
    exists('/.well-known/agent-skills/index.json'),
    exists('/mcp/server-card'),
    exists('/server.json'),
    exists('/.well-known/ai-catalog.json'),
    exists('/llms.txt'),
    exists('/llms-full.txt'),
    missing('listed in the MCP registry'),
  ],
  'markdown and links': [
    [
      'text/markdown',
      async (get) =>
        (await get('/docs/limits', { accept: 'text/markdown' })).headers
          .get('content-type')
          ?.startsWith('text/markdown'),
    ],
    ['Link to the catalog', async (get) => (await field(get, lookup, 'link')).includes('api-catalog')],
    [
      'Markdown of a page about one VIN',
      async (get) =>
        (await get(`/window-sticker/${VIN}`, { accept: 'text/markdown' })).headers
          .get('content-type')
          ?.startsWith('text/markdown'),
    ],
  ],
  discovery: [
    exists('/.well-known/api-catalog'),
    exists('/apis.json'),
    [
      "a maintainer's e-mail in apis.json",
      async (get) =>
        (await json<{ maintainers: { email?: string }[] }>(get, '/apis.json')).maintainers[0]?.email,
    ],
    exists('/conformance.json'),
    exists('/sitemap.xml'),
    ['Content-Signal', async (get) => (await (await get('/robots.txt')).text()).includes('Content-Signal')],
  ],
  'unknown paths': [
    ['a small problem for programs', async (get) => (await (await get('/no/such')).text()).length < 600],
    [
      'a small page for people',
      async (get) => {
        const response = await get('/no/such', html);
        return response.status === 404 && (await response.text()).length < 8000;
      },
    ],
  ],
  'PDF safety': [
    ['nosniff', async (get) => (await field(get, label, 'x-content-type-options')) === 'nosniff'],
    ['sandbox', async (get) => /sandbox/.test(await field(get, label, 'content-security-policy'))],
    ['noindex', async (get) => /noindex/.test(await field(get, label, 'x-robots-tag'))],
  ],
};

export interface Score {
  points: number;
  items: { item: string; points: number; missing: string[] }[];
}

/** The score out of 100. `get` requests a path. */
export async function scoreOf(get: Get): Promise<Score> {
  const items: Score['items'] = [];
  for (const [item, checks] of Object.entries(ITEMS)) {
    const failed: string[] = [];
    for (const [name, passes] of checks) if (!(await passes(get).catch(() => false))) failed.push(name);
    items.push({ item, points: (100 * (checks.length - failed.length)) / checks.length, missing: failed });
  }
  return { points: items.reduce((sum, { points }) => sum + points, 0) / items.length, items };
}

if (import.meta.main) {
  const origin = new URL(process.argv[2] ?? 'http://localhost:8080').origin;
  // The limit is ten requests in ten seconds, so wait and try again.
  const get: Get = async (path, headers, method) => {
    for (;;) {
      const response = await fetch(`${origin}${path}`, { headers, method, redirect: 'follow' });
      if (response.status !== 429) return response;
      const seconds = Number(response.headers.get('retry-after')) || 10;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  };
  const { points, items } = await scoreOf(get);
  for (const { item, points: itemPoints, missing: missingChecks } of items)
    process.stdout.write(
      `${itemPoints.toFixed().padStart(4)}  ${item}${missingChecks.length ? `; missing: ${missingChecks.join(', ')}` : ''}\n`,
    );
  process.stdout.write(`${points.toFixed(1).padStart(6)}  of 100\n`);
}
