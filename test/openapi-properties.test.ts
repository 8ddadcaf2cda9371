import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from './property.ts';
import { checkDigit } from '@monroney/vin';
import { sources } from '../src/makers/index.ts';
import { specimens } from '../src/lookup/specimens/index.ts';
import { startSimulated } from './simulated.ts';
import { isLong } from './size.ts';

/**
 * Generates valid and invalid requests from the OpenAPI document, and checks every response against it. PROPERTY_RUNS
 * sets how many; `PROPERTY_RUNS=5000 npm test -- openapi-properties` is the long run.
 */

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (isLong ? 1200 : 100));
const { service } = await startSimulated();

/** The parts of `/openapi.json` that these tests use. */
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: object;
  example?: unknown;
}
interface Operation {
  parameters?: object[];
}
interface OperationEntry extends Operation {
  path: string;
}
const document = await service.json<{ paths: Record<string, { get?: Operation }> }>('/openapi.json');
const gets: OperationEntry[] = Object.entries(document.paths).flatMap(([path, { get }]) =>
  get ? [{ path, ...get }] : [],
);

/** Resolves a value that may be a reference. */
function resolved<T>(value: object): T {
  const { $ref } = value as { $ref?: string };
  if (!$ref) return value as T;
  return $ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document) as T;
}

interface GeneratedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
}

const junk = fc.string({
  unit: fc.constantFrom(...'aZ09 -_.~!*()\'"<>{}|^`%&=+;:,@$é🚗\u0000\n'),
  maxLength: 24,
});
const headerJunk = fc
  .string({ unit: fc.constantFrom(...'aZ09 -_."=;,*:/@'), minLength: 1, maxLength: 40 })
  .map((text) => text.trim() || 'x');
const letters = fc.constantFrom(...'ABCDEFGHJKLMNPRSTUVWXYZ0123456789');
const wellFormed = fc.string({ unit: letters, minLength: 17, maxLength: 17 });
/** VINs of cars for which the simulated manufacturers have a label. */
const producedVins = fc
  .tuple(fc.constantFrom(...sources), fc.integer({ min: 10_000, max: 89_999 }))
  .map(([{ example }, serial]) => {
    const vin = example.slice(0, -5) + String(serial);
    return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
  });
const vins = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...specimens.map(({ vin }) => vin)) },
  { weight: 2, arbitrary: producedVins },
  { weight: 2, arbitrary: wellFormed },
  { weight: 1, arbitrary: fc.constantFrom(...specimens).map(({ vin }) => vin.toLowerCase()) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom(...'AIOQ019- '), minLength: 15, maxLength: 19 }),
  },
  { weight: 1, arbitrary: junk },
);

const dates = fc
  .date({ min: new Date(0), max: new Date('2037-01-01'), noInvalidDate: true })
  .map((date) => date.toUTCString());
const ranges = fc
  .tuple(fc.nat(60_000), fc.nat(60_000))
  .chain(([one, two]) =>
    fc.constantFrom(
      `bytes=${one}-${two}`,
      `bytes=${one}-`,
      `bytes=-${one}`,
      'bytes=0-0',
      'bytes=9000000-',
      'bytes=9000000-9000009',
      `bytes=0-1,${two}-`,
    ),
  );
const SPECIAL_VALUES: Record<string, fc.Arbitrary<string>> = {
  vin: vins,
  Range: ranges,
  'If-Modified-Since': dates,
  'If-Range': dates,
};

/** Values for a parameter: from its schema and example, from `SPECIAL_VALUES`, and junk. */
function valueOf({ name, schema, example, in: location }: Parameter): fc.Arbitrary<string> {
  const { enum: allowed, type } = (schema ?? {}) as { enum?: unknown[]; type?: string };
  const good = [...(allowed ?? []), ...(type === 'boolean' ? [true, false, 1, 0] : []), example].map(String);
  const other = SPECIAL_VALUES[name] ?? fc.constantFrom(...good);
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...good) },
    { weight: 4, arbitrary: other },
    { weight: 1, arbitrary: location === 'header' ? headerJunk : junk },
  );
}

const methods = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  { weight: 3, arbitrary: fc.constant('HEAD') },
  { weight: 1, arbitrary: fc.constantFrom('POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS') },
);

function requestsTo(entry: OperationEntry): fc.Arbitrary<GeneratedRequest> {
  const all = (entry.parameters ?? []).map((parameter) => resolved<Parameter>(parameter));
  const values = all.map((parameter) => {
    // A condition often determines the response by itself, so conditions are sent less often.
    const absent = parameter.required ? 0 : parameter.name.startsWith('If-') ? 4 : 1;
    return fc.oneof(
      { weight: absent, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: valueOf(parameter) },
    );
  });
  return fc
    .record({
      values: fc.tuple(...values),
      method: methods,
      repeat: fc.integer({ min: 0, max: 9 }),
      more: fc.option(junk, { freq: 8 }),
    })
    .map(({ values, method, repeat, more }) => {
      let { path } = entry;
      const query: string[] = more === null ? [] : [`more=${encodeURIComponent(more)}`];
      const headers: Record<string, string> = {};
      for (const [index, parameter] of all.entries()) {
        const value = values[index];
        if (value === null || value === undefined) continue;
        const encoded = encodeURIComponent(value);
        if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encoded);
        else if (parameter.in === 'header') headers[parameter.name] = value;
        else query.push(...Array<string>(repeat === 0 ? 2 : 1).fill(`${parameter.name}=${encoded}`));
      }
      return {
        method,
        path: query.length ? `${path}?${query.join('&')}` : path,
        headers,
      };
    })
    .filter(({ path }) => !/\/\.{0,2}([/?]|$)/.test(path));
}

/** `service.get` compares the response with the document; this is what the document says in prose. */
async function send({ method, path, headers }: GeneratedRequest): Promise<number> {
  const response = await service.get(path, { method, headers });
  const { status } = response;
  const exchange = `${method} ${path} ${JSON.stringify(headers)} → ${status}`;
  const body = await response.arrayBuffer();
  assert.ok(status < 500 || (status === 503 && path.startsWith('/api/')), exchange);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff', exchange);
  const isApi = /^\/(api|vpic)\//.test(path);
  if (isApi) assert.equal(response.headers.get('access-control-allow-origin'), '*', exchange);
  // Unknown pages don't support preflight.
  if (method === 'OPTIONS') assert.ok(status === 204 || (!isApi && status === 405), exchange);
  else if (isApi) assert.match(response.headers.get('ratelimit') ?? '', /^"default";r=\d+;t=\d+$/, exchange);
  if (method === 'HEAD' || status === 304) assert.equal(body.byteLength, 0, exchange);
  if (['POST', 'PUT', 'DELETE', 'PATCH'].includes(method)) {
    assert.equal(status, 405, exchange);
    assert.match(response.headers.get('allow') ?? '', /GET/, exchange);
  }
  return status;
}

test(`${RUNS} requests generated from the OpenAPI document get responses that match it`, async () => {
  const any = fc.oneof(
    ...gets.map((entry) => ({
      weight: entry.path === '/api/sticker/{vin}' ? 12 : entry.path.startsWith('/api/') ? 5 : 1,
      arbitrary: requestsTo(entry),
    })),
  );
  const reached = new Set<number>();
  await fc.assert(
    fc.asyncProperty(any, async (request) => {
      reached.add(await send(request));
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  // If the generator reached only one status, the test would prove little.
  const statuses = RUNS >= 600 ? [200, 206, 304, 400, 404, 405, 416, 503] : [200, 400, 404];
  for (const status of statuses) assert.ok(reached.has(status), `no ${status} in ${[...reached].join(', ')}`);
});
