import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { parseYaml } from '@redocly/openapi-core';
import { apiDocuments } from './document.ts';
import { REASONS } from '../../http/problems.ts';
import { FAILED, HELD, NO_SOURCE, NONE, OFF, fakeLookup } from '../../http/testing.ts';
import type { JsonObject } from '../../http/operation.ts';

const baseUrl = 'http://labels.example';
const row = { make: '', state: 'held' as const, paint: null, label: null };
const specimens = [HELD, NONE, OFF, FAILED, NO_SOURCE].map((vin) => ({
  ...row,
  vin,
  shows: `what ${vin} shows`,
}));
const documents = apiDocuments({ baseUrl, month: '2026-10', lookup: fakeLookup().lookup, specimens });

const read = async (path: string) => JSON.parse(String((await documents.get(path)!()).body)) as JsonObject;
const document = await read('/openapi.json');

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);
ajv.addSchema(document, 'openapi');

/** Every object in the document with its JSON pointer. */
function* objects(value: unknown, pointer = ''): Generator<[string, JsonObject]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [pointer, value as JsonObject];
  for (const [key, child] of Object.entries(value))
    yield* objects(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

function objectAt(pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, key) => (value as JsonObject | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
}

const operations = [...objects(document)].filter(([pointer]) =>
  /^\/paths\/[^/]+\/(get|head|post)$/.test(pointer),
);

test('is OpenAPI 3.1, version 1.0.0, and names the month of its data', () => {
  const info = document['info'] as JsonObject;
  assert.deepEqual(
    [document['openapi'], info['version'], info['x-vpic-month']],
    ['3.1.0', '1.0.0', '2026-10'],
  );
  assert.deepEqual(document['servers'], [{ url: baseUrl, description: 'This service.' }]);
});

test('the YAML says the same as the JSON', async () => {
  const { type, body } = await documents.get('/openapi.yaml')!();
  assert.equal(type, 'application/yaml');
  assert.deepEqual(parseYaml(String(body)), document);
});

test('keeps the operation IDs that generated clients use', () => {
  const ids = operations.map(([, operation]) => operation['operationId']);
  for (const id of ['getVin', 'getSticker', 'getLabel', 'getPreview', 'decodeVins'])
    assert.ok(ids.includes(id), id);
  assert.equal(new Set(ids).size, ids.length);
});

test('every operation has a summary, a description and a known tag', () => {
  const tags = (document['tags'] as JsonObject[]).map(({ name }) => name);
  for (const [pointer, operation] of operations) {
    assert.match(operation['summary'] as string, /.{5}/, pointer);
    assert.match(operation['description'] as string, /.{20}/, pointer);
    assert.ok(
      (operation['tags'] as string[]).every((tag) => tags.includes(tag)),
      pointer,
    );
  }
});

test('every reference resolves', () => {
  let count = 0;
  for (const [pointer, { $ref }] of objects(document)) {
    if (typeof $ref !== 'string') continue;
    count++;
    assert.notEqual(objectAt($ref.slice(1)), undefined, `${pointer}: ${$ref}`);
  }
  assert.ok(count > 50);
});

test('every response with a body has an example, and every example matches its schema', () => {
  let count = 0;
  for (const [pointer, { schema, example, examples }] of objects(document)) {
    if (!/\/content\/[^/]+$/.test(pointer)) continue;
    assert.ok(example ?? Object.keys(examples as JsonObject).length, pointer);
    if (/pdf|webp/.test(pointer)) continue;
    const validate =
      ajv.getSchema(`openapi#${encodeURI(pointer)}/schema`) ?? ajv.compile(schema as JsonObject);
    const values = example
      ? [example]
      : Object.values(examples as JsonObject).map((each) => (each as JsonObject)['value']);
    for (const value of values) {
      count++;
      assert.ok(validate(value), `${pointer}: ${JSON.stringify(validate.errors)}`);
    }
  }
  assert.ok(count > 20);
});

test('every property and parameter has a description', () => {
  for (const [pointer, value] of objects(document)) {
    if (/\/properties\/[^/]+$/.test(pointer) && !('$ref' in value)) {
      assert.match(value['description'] as string, /.{5}/, pointer);
    }
    if (/^\/components\/(parameters|headers|responses)\/[^/]+$/.test(pointer))
      assert.ok(value['description'], pointer);
  }
});

test('responses under /api/ declare the rate limit, and 429 declares Retry-After', () => {
  const limited = objectAt('/components/responses/TooManyRequests/headers') as JsonObject;
  assert.ok(limited['Retry-After']);
  for (const [pointer, operation] of operations) {
    if (!pointer.startsWith('/paths/~1api')) continue;
    const responses = operation['responses'] as JsonObject;
    assert.deepEqual(responses['429'], { $ref: '#/components/responses/TooManyRequests' }, pointer);
    assert.ok(((responses['200'] as JsonObject)['headers'] as JsonObject)['RateLimit'], pointer);
  }
});

test('the schemas are 2020-12 and their $id is their own URL', async () => {
  for (const path of ['/schemas/vin-response.json', '/schemas/label.json', '/schemas/problem.json']) {
    const schema = await read(path);
    assert.equal(schema['$id'], baseUrl + path);
    assert.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema');
    new Ajv2020({ strict: false, formats: { uri: true, 'date-time': true } }).compile(schema);
    assert.equal((await documents.get(path)!()).type, 'application/schema+json');
  }
});

test('the lookup schema rejects a missing required field', async () => {
  const validate = ajv.compile(await read('/schemas/vin-response.json'));
  const valid = {
    ok: true,
    vin: HELD,
    warning: null,
    suggestedVin: null,
    vehicle: null,
    windowSticker: { supported: false, available: false, bytes: null, pdf: null, page: 'http://x.example/' },
  };
  assert.ok(validate(valid));
  assert.ok(validate({ ...valid, later: 1 }), 'responses may gain fields');
  assert.ok(!validate({ ...valid, vin: 'I' }));
  assert.ok(!validate({ ...valid, warning: undefined }));
});

test('the API catalog links to the OpenAPI document', async () => {
  assert.match(JSON.stringify(await read('/.well-known/api-catalog')), /service-desc.*openapi\.json/);
});

test('every reason has a status, a meaning and a next step', () => {
  for (const [reason, { status, title, means, todo }] of Object.entries(REASONS)) {
    assert.match(reason, /^[a-z]+(-[a-z]+)*$/);
    assert.ok(status >= 400 && status < 600 && title && means.length > 20 && todo.length > 10, reason);
  }
});

test('no boolean has one allowed value, because generated Java and Kotlin would not work', () => {
  const found = [...objects(document)].filter(([, schema]) => typeof schema['const'] === 'boolean');
  assert.deepEqual(found, []);
});

test('no two components share a name, because generators put all kinds into one namespace', () => {
  const names = Object.values(document['components'] as JsonObject).flatMap((kind) =>
    Object.keys(kind as JsonObject),
  );
  assert.equal(new Set(names).size, names.length);
});

test('no example is external, because generators would fetch it and run into the limit', () => {
  const found = [...objects(document)].filter(([, example]) => 'externalValue' in example);
  assert.deepEqual(found, []);
});

test('every integer in a response names its size, and no set of values in a response is closed', () => {
  const schemas = [...objects(document)].filter(([pointer]) => pointer.startsWith('/components/schemas'));
  const integers = schemas.filter(([, { type }]) => [type].flat().includes('integer'));
  assert.ok(integers.length > 30);
  for (const [pointer, { format }] of integers) assert.match(format as string, /^int(32|64)$/, pointer);
  assert.deepEqual(
    schemas.filter(([, schema]) => 'enum' in schema),
    [],
  );
});

test('every object may get new fields', () => {
  const found = [...objects(document)].filter(([, schema]) => schema['additionalProperties'] === false);
  assert.deepEqual(found, []);
});
