// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { parseYaml } from '@redocly/openapi-core';
import { parse as parseYaml11 } from 'yaml';
import { apiDocuments } from './document.ts';
import { LIMIT } from '../../http/limit.ts';
import { FAILED, HELD, NO_SOURCE, NONE, OFF, fakeLookup } from '../../http/testing.ts';
import type { JsonObject } from '../../http/operation.ts';

const baseUrl = 'http://labels.example';
const row = { make: '', state: 'held' as const, paint: null, label: null };
const specimens = [HELD, NONE, OFF, FAILED, NO_SOURCE].map((vin) => ({
  ...row,
  vin,
  shows: `what ${vin} shows`,
}));
const documents = apiDocuments({
  baseUrl,
  month: '2026-10',
  limit: LIMIT,
  lookup: fakeLookup().lookup,
  specimens,
});
const document = JSON.parse(String((await documents.get('/openapi.json')!()).body)) as JsonObject;

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

test('the YAML says the same as the JSON', async () => {
  const { type, body } = await documents.get('/openapi.yaml')!();
  assert.equal(type, 'application/yaml');
  assert.deepEqual(parseYaml(String(body)), document);
  assert.deepEqual(parseYaml11(String(body), { version: '1.1' }), document, 'as readers of YAML 1.1 see it');
  assert.match(String(body), /^openapi: 3\.1\.\d\n/);
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

test('generators of clients get no schema that they mishandle', () => {
  const all = [...objects(document)];
  const where = (isFound: (schema: JsonObject, pointer: string) => boolean) =>
    all.filter(([pointer, schema]) => isFound(schema, pointer)).map(([pointer]) => pointer);
  assert.deepEqual(
    where(({ const: value }) => typeof value === 'boolean'),
    [],
    'fails in Java and Kotlin',
  );
  assert.deepEqual(
    where((example) => 'externalValue' in example),
    [],
    'would be fetched, up to the limit',
  );
  assert.deepEqual(
    where((schema) => schema['additionalProperties'] === false),
    [],
    'objects may get fields',
  );
  const isSchema = (pointer: string) => pointer.startsWith('/components/schemas');
  assert.deepEqual(
    where((schema, at) => isSchema(at) && 'enum' in schema),
    [],
    'values may be added',
  );
  const isInteger = ({ type }: JsonObject) => [type].flat().includes('integer');
  assert.deepEqual(
    where(
      (schema, at) => isSchema(at) && isInteger(schema) && !/^int(32|64)$/.test(schema['format'] as string),
    ),
    [],
    'the size of an integer',
  );
  // They put all kinds of components into one namespace.
  const names = Object.values(document['components'] as JsonObject).flatMap((kind) =>
    Object.keys(kind as JsonObject),
  );
  assert.equal(new Set(names).size, names.length);
});
