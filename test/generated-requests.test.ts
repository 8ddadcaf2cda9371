import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { isReason } from '../src/http/problems.ts';
import type { JsonObject } from '../src/openapi/schemas.ts';
import { specimens } from '../src/specimens/index.ts';
import { follow, object, operations, text, type Operation } from './openapi-walk.ts';
import { documented, type Documented } from './documented.ts';
import { startService, type Service } from './service.ts';

/** Requests made up from the API's own description, sensible and not, over real sockets: all answer as it says. */

const REQUESTS = 5000;
let service: Service;
let document: JsonObject;
let holdAgainst: Documented;
before(async () => {
  service = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });
  document = await service.json<JsonObject>('/openapi.json');
  holdAgainst = documented(document as unknown as Parameters<typeof documented>[0]);
});
after(() => service.close());

const vins = specimens.map(({ vin }) => vin);
const vinLike = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...vins, ...vins.map((vin) => vin.toLowerCase())) },
  { weight: 2, arbitrary: fc.stringMatching(/^[A-HJ-NPR-Z0-9]{17}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[A-Z0-9]{15,18}$/) },
);
const noise = fc.string({ maxLength: 40 });
/** What a client library lets through as a header's value. */
const headerText = fc.stringMatching(/^[\x21-\x7e][\x20-\x7e]{0,40}[\x21-\x7e]$/);

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
}

function valueOf(parameter: JsonObject): fc.Arbitrary<string> {
  const schema = object(parameter.schema);
  if (parameter.name === 'vin') return vinLike;
  const listed = Array.isArray(schema.enum) ? schema.enum.map(String) : [];
  const usual = [...listed, `${parameter.example as string | number | boolean}`];
  if (schema.type === 'boolean') usual.push('true', 'false', '1', '0');
  const other = parameter.in === 'header' ? headerText : noise;
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: other });
}

/** Any request that fits the operation's shape, whatever its values. */
function requestOf({ path, method, parameters }: Operation): fc.Arbitrary<Sent> {
  const of = (place: string) => parameters.filter((each) => each.in === place);
  const record = (some: JsonObject[], all: boolean) => {
    const model = Object.fromEntries(some.map((each) => [text(each.name), valueOf(each)]));
    return all ? fc.record(model) : fc.record(model, { requiredKeys: [] });
  };
  return fc
    .tuple(record(of('path'), true), record(of('query'), false), record(of('header'), false))
    .map(([inPath, query, headers]) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''));
      const search = new URLSearchParams(query as Record<string, string>).toString();
      return {
        method: method.toUpperCase(),
        path: search ? `${filled}?${search}` : filled,
        headers: headers as Record<string, string>,
      };
    });
}

async function answersAsDocumented({ method, path, headers }: Sent): Promise<void> {
  const response = await service.get(path, { method, headers: { accept: 'application/json', ...headers } });
  const where = `${method} ${path} ${response.status}`;
  const problem = response.status >= 400 && method !== 'HEAD';
  const body = problem ? ((await response.clone().json()) as Record<string, unknown>) : null;
  await holdAgainst(method, path, response);
  await response.arrayBuffer();
  assert.notEqual(response.status, 500, where);
  assert.equal(response.headers.get('access-control-allow-origin'), '*', where);
  assert.ok(response.headers.get('x-request-id'), where);
  if (path.startsWith('/api/')) assert.match(response.headers.get('ratelimit') ?? '', /;r=\d+;t=\d+/, where);
  if (response.status === 503 || response.status === 429) {
    assert.match(response.headers.get('retry-after') ?? '', /^\d+$/, where);
  }
  if (body && 'reason' in body) {
    assert.ok(isReason(String(body.reason)), where);
    assert.equal(body.status, response.status, where);
  }
}

test(`${REQUESTS} requests made up from the description all answer as described`, async () => {
  const statuses = new Set<string>();
  const known = operations(document);
  assert.ok(known.length >= 9);
  assert.ok(
    known.every(({ parameters }) => parameters.every((each) => Object.keys(follow(document, each)).length)),
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(...known.map(requestOf)), async (sent) => {
      await answersAsDocumented(sent);
      statuses.add(sent.path.split('/')[1]!);
    }),
    { numRuns: REQUESTS },
  );
  assert.ok(statuses.has('api') && statuses.has('status.json') && statuses.has('errors'));
});
