import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INSTRUCTIONS } from '../src/mcp/server.ts';
import { request } from './mcp-client.ts';
import { tools } from '../src/mcp/tools.ts';
import { startTools, withVin, type Listed, type Schema } from './mcp-tool-checks.ts';

/** The list of tools: names, descriptions and schemas. */

const { service, listed, listedJson, callChecked } = await startTools();

test('the tools are the same in both protocol revisions', async () => {
  const names = listed.map((tool) => tool.name);
  assert.deepEqual(
    names,
    tools.map((tool) => tool.name),
  );
  for (const name of [...withVin, 'show_window_sticker', 'compare_window_stickers', 'decode_vins'])
    assert.ok(names.includes(name), name);
  const { result } = await request<{ tools: Listed[] }>(service, '2025-11-25', 'tools/list');
  assert.deepEqual(result!.tools, listed);
});

test('a description has at most 450 characters and names another tool; the instructions have fewer than 800', () => {
  for (const { name, title, description } of listed) {
    assert.ok(title, name);
    assert.ok(description.length <= 450, `${name}: ${description.length}`);
    const siblings = listed.filter((other) => other.name !== name && description.includes(other.name));
    assert.ok(siblings.length > 0, name);
  }
  assert.ok(INSTRUCTIONS.length < 800, String(INSTRUCTIONS.length));
  for (const { name } of listed) assert.ok(INSTRUCTIONS.includes(name), name);
});

test('every tool has all four annotations; openWorldHint is set only if it may contact a manufacturer', () => {
  for (const { name, title, annotations } of listed) {
    assert.ok(title);
    assert.deepEqual(annotations, {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: !['decode_vin', 'decode_vins', 'list_covered_makes'].includes(name),
    });
  }
});

function walk(schema: Schema, path: string, visit: (schema: Schema, path: string) => void): void {
  visit(schema, path);
  for (const [name, inner] of Object.entries(schema.properties ?? {})) walk(inner, `${path}.${name}`, visit);
  for (const inner of schema.anyOf ?? []) walk(inner, path, visit);
  if (schema.items) walk(schema.items, `${path}[]`, visit);
}

const schemasOf = ({ inputSchema, outputSchema }: Listed): Schema[] => [
  inputSchema,
  ...(outputSchema ? [outputSchema] : []),
];

test('the tool list takes fewer than 4,500 tokens', () => {
  // 3.94 characters per token, measured with the tokenizer of test/mcp/tokens.test.ts.
  assert.ok(listedJson.length / 3.93 < 4_500, `${listedJson.length} characters`);
});

test('every argument and every field of a result is described; descriptions of objects say what names of fields do not', () => {
  for (const tool of listed)
    for (const { properties = {} } of schemasOf(tool))
      for (const [name, { description }] of Object.entries(properties))
        // Always true.
        if (name !== 'ok') assert.ok(description, `${tool.name}.${name} has no description`);
});

test('inputs reject unknown fields, outputs allow them, and no schema has two types or a $ref', () => {
  for (const tool of listed) {
    const { name, inputSchema, outputSchema = {} } = tool;
    assert.equal(inputSchema.additionalProperties, false, name);
    for (const schema of schemasOf(tool))
      walk(schema, name, ({ type, $ref }, path) => {
        assert.ok(!Array.isArray(type), path);
        assert.equal($ref, undefined, path);
      });
    walk(outputSchema, name, ({ additionalProperties }, path) =>
      assert.notEqual(additionalProperties, false, path),
    );
  }
});

test('input schemas have no pattern or minimum length, and pasted VINs are cleaned up', async () => {
  for (const { inputSchema } of listed)
    walk(inputSchema, '', (schema) => assert.ok(!('pattern' in schema) && !('minLength' in schema)));
  for (const vin of [
    '1fmuk8dh0tg000000',
    ' 1FMUK8DH0TG000000\n',
    '1FM UK8DH0 TG000000',
    '1FM-UK8DH0-TG000000',
    'VIN: 1FMUK8DH0TG000000',
    'vin# 1fm-uk8dh0-tg000000',
  ])
    for (const name of withVin)
      assert.equal((await callChecked(name, { vin })).vin, '1FMUK8DH0TG000000', vin);
});
