import { labelKind } from '../src/makers/maker.ts';
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { specimens } from '../src/lookup/specimens/index.ts';
import { makeCount, sources } from '../src/makers/index.ts';
import { toolNamed } from '../src/mcp/call.ts';
import { INSTRUCTIONS } from '../src/mcp/server.ts';
import { tools } from '../src/mcp/tools.ts';
import { pdfName } from '../src/store/label-bytes.ts';
import { capitalize, inWords } from '@monroney/label/lib/words';
import { newLabel, pdfOf } from '../src/store/testing.ts';
import { assertMatches, type Schema } from './fake-lookup.ts';
import { call, ERAS, request, textOf, type ToolCallResult } from './mcp-client.ts';
import { newVin } from './operator.ts';
import { drawnMakes } from '../tools/specimens/draw.ts';
import { startSimulated } from './simulated.ts';

/** The tools as an assistant sees them, with real sockets and simulated manufacturers. */

interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  outputSchema?: Schema;
  annotations: Record<string, unknown>;
}

/** Text for clients that show nothing else: no JSON, and not too long (test/mcp/tokens.test.ts) unless there are many cars. */
function assertShortText(name: string, text: string): void {
  assert.ok(text.length > 0, name);
  assert.doesNotMatch(text, /[{}]|\bnull\b|undefined|NaN/, name);
  if (name !== 'decode_vins') assert.ok(text.length <= 6_000, `${name}: ${text.length} characters`);
}

const { service, simulator } = await startSimulated();
const { result: list } = await request<{ tools: Listed[] }>(service, '2026-07-28', 'tools/list');
const listed = list!.tools;
/** Tools for one VIN, and those of them that return an object. */
const forOneVin = listed.filter(({ inputSchema }) => inputSchema.properties?.vin).map(({ name }) => name);
const withVin = forOneVin.filter((name) => toolNamed(name).output);

/** What applies to any result. */
function assertResult(name: string, result: ToolCallResult): void {
  assert.notEqual(result.isError, true, textOf(result));
  const { outputSchema } = listed.find((tool) => tool.name === name)!;
  assertMatches(outputSchema!, result.structuredContent, name);
  // The published schema doesn't say which fields are always there.
  toolNamed(name).output!.parse(result.structuredContent);
  assertShortText(name, textOf(result));
}

async function callChecked(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const result = await call(service, name, args);
  assertResult(name, result);
  return result.structuredContent!;
}

test('the tools are the same in both protocol revisions', async () => {
  const names = listed.map((tool) => tool.name);
  assert.deepEqual(
    names,
    tools.map((tool) => tool.name),
  );
  const { result } = await request<{ tools: Listed[] }>(service, '2025-11-25', 'tools/list');
  assert.deepEqual(result!.tools, listed);
});

test('a description has at most 450 characters and names another tool; the instructions stay short', () => {
  for (const { name, title, description } of listed) {
    assert.ok(title, name);
    assert.ok(description.length <= 450, `${name}: ${description.length}`);
    const siblings = listed.filter((other) => other.name !== name && description.includes(other.name));
    assert.ok(siblings.length > 0, name);
  }
  assert.ok(INSTRUCTIONS.length < 300 + 65 * listed.length, String(INSTRUCTIONS.length));
});

test('every tool has all four annotations; openWorldHint is set only if it may contact a manufacturer', async () => {
  for (const { name, annotations } of listed) {
    const requestsBefore = simulator.requests.length;
    const vins = { held: newVin('gm'), another: newVin('gm'), none: newVin('gm') };
    await call(service, name, toolNamed(name).example(vins));
    assert.deepEqual(
      annotations,
      {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: simulator.requests.length > requestsBefore,
      },
      name,
    );
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

test('every argument and every field of a result is described; descriptions of objects say what names of fields do not', () => {
  for (const tool of listed)
    for (const { properties = {} } of schemasOf(tool))
      for (const [name, { description }] of Object.entries(properties))
        // Always true.
        if (name !== 'ok') assert.ok(description, `${tool.name}.${name} has no description`);
});

test('inputs reject unknown fields, outputs allow them, and no schema has two types or a $ref', () => {
  for (const tool of listed) {
    const { name, inputSchema, outputSchema = { type: 'object' } } = tool;
    assert.equal(inputSchema.additionalProperties, false, name);
    for (const schema of schemasOf(tool))
      walk(schema, name, ({ type, $ref }, path) => {
        assert.ok(!Array.isArray(type), path);
        assert.equal($ref, undefined, path);
      });
    walk(outputSchema, name, ({ additionalProperties, type, anyOf, properties, items }, path) => {
      assert.notEqual(additionalProperties, false, path);
      assert.ok(type ?? anyOf ?? properties ?? items, `${path} has no type`);
    });
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

test('the words that distinguish a tool from the others appear only in its own description', () => {
  for (const { name, selection } of tools) {
    const matching = tools.filter(({ description }) => description.includes(selection.decidingWords));
    assert.deepEqual(
      matching.map((tool) => tool.name),
      [name],
    );
  }
});

test('every text about a specimen says "sample" in its first line, and no text about a real car does', async () => {
  const firstLine = async (name: string, args: Record<string, unknown>) => {
    const result = await call(service, name, args);
    if (withVin.includes(name)) assertResult(name, result);
    return textOf(result).split('\n')[0]!;
  };
  const [first, second] = specimens;
  for (const { vin } of specimens)
    for (const name of forOneVin)
      assert.match(await firstLine(name, { vin: vin.toLowerCase() }), /\bsample\b/, `${name} ${vin}`);
  for (const name of ['decode_vins', 'compare_window_stickers'])
    assert.match(await firstLine(name, { vins: [first!.vin, second!.vin] }), /\bsamples?\b/, name);
  const real = [newVin('gm'), newVin('gm')];
  for (const name of withVin) assert.doesNotMatch(await firstLine(name, { vin: real[0] }), /\bsample/, name);
  assert.doesNotMatch(await firstLine('compare_window_stickers', { vins: real }), /\bsample/);
});

test('readings from every source match the schema, and the prices of readable labels add up', async () => {
  for (const source of sources) {
    const vin = newVin(source.id);
    const result = await callChecked('read_window_sticker', { vin });
    const isDrawn = drawnMakes.some((make) => source.makes.includes(make.toUpperCase()));
    assert.equal(result.readable, isDrawn && labelKind(source) === 'text', source.id);
    if (result.readable) assert.equal((result.proof as { closes: boolean }).closes, true, source.id);
    else assert.match(String(result.missing), /show_window_sticker, or open the PDF/);
  }
});

test('get_window_sticker returns the API’s object and links to the PDF', async () => {
  const vin = newVin('gm');
  const result = await call(service, 'get_window_sticker', { vin });
  const api = await service.json<VinResponse>(`/api/v1/vin/${vin}`);
  assert.deepEqual(result.structuredContent, api);
  const { bytes, pdf } = api.windowSticker;
  assert.deepEqual(result.content[1], {
    type: 'resource_link',
    uri: pdf,
    name: `window-sticker-${vin}.pdf`,
    title: 'Original window sticker',
    mimeType: 'application/pdf',
    size: bytes,
  });
});

for (const era of ERAS) {
  test(`null stands for arguments that are not given, ${era}`, async () => {
    const params = { name: 'list_covered_makes', arguments: null };
    const all = await request<ToolCallResult>(service, era, 'tools/call', params);
    assert.match(textOf(all.result!), new RegExp(`^${capitalize(inWords(makeCount))} makes are covered`));
    const without = await request<ToolCallResult>(service, era, 'tools/call', {
      ...params,
      name: 'decode_vin',
    });
    assert.equal(without.result!.isError, true);
    assert.equal(textOf(without.result!), '"vin" is missing; it must be a string.');
    const vin = '1FMUK8DH0TG000000';
    assert.notEqual((await call(service, 'show_window_sticker', { vin, size: null }, era)).isError, true);
  });
}

test('a label whose file is missing is a temporary failure, for tools and for resources', async () => {
  const { runtime, dataDir, logs } = service;
  const vin = newVin('ford');
  const label = await runtime.store.addLabel(newLabel(vin), pdfOf(vin));
  rmSync(join(dataDir, pdfName(label)));
  const before = logs.length;
  const message = /Sticker storage is temporarily unavailable\. Try again in 10 seconds\./;
  for (const name of ['read_window_sticker', 'show_window_sticker']) {
    const result = await call(service, name, { vin });
    assert.equal(result.isError, true);
    assert.match(textOf(result), message);
  }
  const uri = `${service.origin}/api/sticker/${vin}/preview`;
  const read = await service.get('/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }),
  });
  assert.match(await read.text(), message);
  assert.doesNotMatch(logs.slice(before).join('\n'), /tool failed/);
});

test("every tool's result matches its schema whatever a source sends, and has no text of its error pages", async () => {
  const behaviors = [
    'label',
    'access-denied',
    'access-denied-as-200',
    'blocked',
    'server-error',
    'unavailable',
    'too-many',
    'web-page',
    'garbage',
    'other-car',
  ] as const;
  for (const [index, behavior] of behaviors.entries()) {
    // The sources take turns, because one that fails often is paused.
    const vin = newVin(sources[index % sources.length]!.id);
    simulator.set(vin, behavior);
    for (const name of withVin)
      assert.doesNotMatch(
        JSON.stringify(await callChecked(name, { vin })),
        /edgesuite|cloudflare|something broke|a PDF nor text|later, please|slow down/i,
      );
    assert.ok(
      simulator.requests.some((request) => request.vin === vin && request.behavior === behavior),
      behavior,
    );
  }
});
