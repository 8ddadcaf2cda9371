import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { openDocuments } from './open-documents.ts';
import { TEMPLATES } from '../../http/routes.ts';
import { REASONS } from '../../http/problems.ts';
import { FAILED, HELD, NO_SOURCE, NONE, OFF, fakeLookup } from '../../http/testing.ts';
import type { JsonObject } from './schemas.ts';

const baseUrl = 'http://labels.example';
const row = { make: '', state: 'held' as const, paint: null, label: null };
const specimens = [HELD, NONE, OFF, FAILED, NO_SOURCE].map((vin) => ({
  ...row,
  vin,
  shows: `what ${vin} shows`,
}));
const documents = openDocuments({ baseUrl, month: '2026-10', lookup: fakeLookup().lookup, specimens });

const read = async (path: string) => JSON.parse(String((await documents.get(path)!()).body)) as JsonObject;
const document = await read('/openapi.json');

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);
ajv.addSchema(document, 'openapi');

/** Every object in the document with the way to it. */
function* objects(value: unknown, way = ''): Generator<[string, JsonObject]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [way, value as JsonObject];
  for (const [key, child] of Object.entries(value))
    yield* objects(child, `${way}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

function at(way: string): unknown {
  return way
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, key) => (value as JsonObject | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
}

const operations = [...objects(document)].filter(([way]) => /^\/paths\/[^/]+\/(get|head)$/.test(way));

test('it is 3.1, version 1.0.0, and names the month of its data', () => {
  const info = document['info'] as JsonObject;
  assert.deepEqual(
    [document['openapi'], info['version'], info['x-vpic-month']],
    ['3.1.0', '1.0.0', '2026-10'],
  );
  assert.deepEqual(document['servers'], [{ url: baseUrl, description: 'This service.' }]);
});

test('it describes the rows of the route table, no more and no fewer', () => {
  const paths = Object.keys(document['paths'] as JsonObject).filter((path) => path !== '/status.json');
  assert.deepEqual(paths.sort(), [...TEMPLATES].sort());
});

test('the operations have the names others call them by', () => {
  const ids = operations.map(([, operation]) => operation['operationId']);
  for (const id of ['getVin', 'getSticker', 'readSticker', 'getPreview']) assert.ok(ids.includes(id), id);
  assert.equal(new Set(ids).size, ids.length);
});

test('every operation has a summary, a description and a known tag', () => {
  const tags = (document['tags'] as JsonObject[]).map(({ name }) => name);
  for (const [way, operation] of operations) {
    assert.match(operation['summary'] as string, /.{5}/, way);
    assert.match(operation['description'] as string, /.{20}/, way);
    assert.ok(
      (operation['tags'] as string[]).every((tag) => tags.includes(tag)),
      way,
    );
  }
});

test('every reference leads somewhere', () => {
  let count = 0;
  for (const [way, { $ref }] of objects(document)) {
    if (typeof $ref !== 'string') continue;
    count++;
    assert.notEqual(at($ref.slice(1)), undefined, `${way}: ${$ref}`);
  }
  assert.ok(count > 50);
});

test('every answer with a body has an example, and every example fits its schema', () => {
  let count = 0;
  for (const [way, { schema, example, examples }] of objects(document)) {
    if (!/\/content\/[^/]+$/.test(way)) continue;
    assert.ok(example ?? Object.keys(examples as JsonObject).length, way);
    if (/pdf|webp/.test(way)) continue;
    const validate = ajv.getSchema(`openapi#${encodeURI(way)}/schema`) ?? ajv.compile(schema as JsonObject);
    const values = example
      ? [example]
      : Object.values(examples as JsonObject).map((one) => (one as JsonObject)['value']);
    for (const value of values) {
      count++;
      assert.ok(validate(value), `${way}: ${JSON.stringify(validate.errors)}`);
    }
  }
  assert.ok(count > 20);
});

test('every property and parameter is described in words', () => {
  for (const [way, value] of objects(document)) {
    if (/\/properties\/[^/]+$/.test(way) && !('$ref' in value)) {
      assert.match(value['description'] as string, /.{5}/, way);
    }
    if (/^\/components\/(parameters|headers|responses)\/[^/]+$/.test(way))
      assert.ok(value['description'], way);
  }
});

test('answers under /api/ declare the limit, and 429 the wait', () => {
  const limited = at('/components/responses/TooManyRequests/headers') as JsonObject;
  assert.ok(limited['Retry-After']);
  for (const [way, operation] of operations) {
    if (!way.startsWith('/paths/~1api')) continue;
    const answers = operation['responses'] as JsonObject;
    assert.deepEqual(answers['429'], { $ref: '#/components/responses/TooManyRequests' }, way);
    assert.ok(((answers['200'] as JsonObject)['headers'] as JsonObject)['RateLimit'], way);
  }
});

test('the schemas are 2020-12 and their ids lead to themselves', async () => {
  for (const path of ['/schemas/vin-response.json', '/schemas/label.json', '/schemas/problem.json']) {
    const schema = await read(path);
    assert.equal(schema['$id'], baseUrl + path);
    assert.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema');
    new Ajv2020({ strict: false, formats: { uri: true, 'date-time': true } }).compile(schema);
    assert.equal((await documents.get(path)!()).type, 'application/schema+json');
  }
});

test('a lookup without a required member does not fit', async () => {
  const validate = ajv.compile(await read('/schemas/vin-response.json'));
  const good = {
    ok: true,
    vin: HELD,
    warning: null,
    vehicle: null,
    windowSticker: { supported: false, available: false, bytes: null, pdf: null, page: 'http://x.example/' },
  };
  assert.ok(validate(good));
  assert.ok(validate({ ...good, later: 1 }), 'answers may grow');
  assert.ok(!validate({ ...good, vin: 'I' }));
  assert.ok(!validate({ ...good, warning: undefined }));
});

test('the catalogue leads to the description', async () => {
  assert.match(JSON.stringify(await read('/.well-known/api-catalog')), /service-desc.*openapi\.json/);
});

test('every reason has a status, and words that say what to do', () => {
  for (const [reason, { status, title, means, todo }] of Object.entries(REASONS)) {
    assert.match(reason, /^[a-z]+(-[a-z]+)*$/);
    assert.ok(status >= 400 && status < 600 && title && means.length > 20 && todo.length > 10, reason);
  }
});
