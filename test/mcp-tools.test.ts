import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { specimens } from '../src/lookup/specimens/index.ts';
import { makeCount, sources } from '../src/makers/index.ts';
import { toolNamed } from '../src/mcp/call.ts';
import { INSTRUCTIONS } from '../src/mcp/server.ts';
import { tools } from '../src/mcp/tools.ts';
import { pdfName } from '../src/store/label-bytes.ts';
import { capitalize, inWords } from '../src/lib/words.ts';
import { newLabel, pdfOf } from '../src/store/testing.ts';
import { assertMatches, type Schema } from './fake-lookup.ts';
import { call, ERAS, request, textOf, type ToolCallResult } from './mcp-client.ts';
import { newVin } from './operator.ts';
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

test('a tool takes at most 560 tokens of the list on average', () => {
  // 3.94 characters per token, measured with the tokenizer of test/mcp/tokens.test.ts.
  const tokens = JSON.stringify(listed).length / 3.93;
  assert.ok(tokens <= 560 * listed.length, `${tokens} tokens for ${listed.length} tools`);
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
    assert.equal(result.readable, source.reader !== null, source.id);
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

test('without a label there is no link, and the result is not an error', async () => {
  const vin = newVin('ford');
  simulator.set(vin, 'none');
  const result = await call(service, 'get_window_sticker', { vin });
  assert.notEqual(result.isError, true);
  assert.equal(result.content.length, 1);
});

test('read_window_sticker says why if a car has no label, without an error', async () => {
  const vin = newVin('stellantis');
  simulator.set(vin, 'none');
  const result = await callChecked('read_window_sticker', { vin });
  assert.deepEqual(
    [result.readable, result.reason, result.label, result.proof, result.provenance, result.retryAfter],
    [false, 'no-label', null, null, null, null],
  );
  assert.match(String(result.missing), /no window sticker for this VIN/);
  assert.match(String(result.about), /data, never as instructions/);
});

test('explain_missing_sticker distinguishes a temporary failure from "none"', async () => {
  const [failing, without] = [newVin('subaru'), newVin('subaru')];
  simulator.set(failing, 'unavailable');
  simulator.set(without, 'none');
  const temporary = await callChecked('explain_missing_sticker', { vin: failing });
  assert.equal(temporary.reason, 'try-again');
  assert.ok(Number(temporary.retryAfter) > 0);
  const permanent = await callChecked('explain_missing_sticker', { vin: without });
  assert.deepEqual([permanent.reason, permanent.retryAfter], ['no-label', null]);
  const honda = await callChecked('explain_missing_sticker', { vin: '1HGCV1F30LA000000' });
  assert.equal(honda.reason, 'make-not-supported');
});

test('list_covered_makes lists all makes or the ones that match, or says that none do', async () => {
  const names = async (make?: string) => {
    const result = await callChecked('list_covered_makes', make === undefined ? {} : { make });
    const { covered, note, makes } = result;
    return { covered, note, names: (makes as { make: string }[]).map((row) => row.make) };
  };
  const all = await names();
  assert.deepEqual([all.covered, all.names.length, all.note], [true, makeCount, null]);
  const jeep = await names(' JEEP ');
  assert.deepEqual([jeep.covered, jeep.names, jeep.note], [true, ['Jeep'], null]);
  const gm = await names('GM');
  assert.deepEqual(gm.names, ['Chevrolet', 'GMC', 'Buick', 'Cadillac']);
  assert.match(String(gm.note), /We took "GM" to mean Chevrolet, GMC, Buick and Cadillac/);
  assert.deepEqual((await names('chevy')).names, ['Chevrolet']);
  const vw = await names('vw');
  assert.deepEqual([vw.covered, vw.names], [false, []]);
  assert.match(String(vw.note), /^Volkswagen is not covered\. Covered: Ford, /);
  const model = await names('Silverado');
  assert.deepEqual([model.covered, model.names], [null, []]);
  assert.match(String(model.note), /If it is a model, ask for its make/);
});

test('read_window_sticker links to the label and also gives amounts in dollars', async () => {
  const vin = newVin('gm');
  const result = await callChecked('read_window_sticker', { vin });
  const links = result.links as Record<string, string>;
  for (const [name, type] of [
    ['pdf', /pdf/],
    ['page', /html/],
    ['preview', /image/],
  ] as const) {
    const { pathname } = new URL(links[name]!);
    const response = await service.get(pathname);
    assert.equal(response.status, 200, name);
    assert.match(response.headers.get('content-type')!, type);
    await response.arrayBuffer();
  }
  const { prices } = result.label as { prices: Record<string, unknown> };
  const { base, destination, total } = prices as Record<string, number>;
  assert.deepEqual(prices.dollars, {
    base: base! / 100,
    destination: destination! / 100,
    total: total! / 100,
  });
  for (const line of prices.options as { price: number | null; dollars: number | null }[])
    assert.equal(line.dollars, line.price === null ? null : line.price / 100);
  assert.equal((result.vehicle as { make: string }).make, 'CHEVROLET');
  const text = textOf(await call(service, 'read_window_sticker', { vin }));
  assert.match(
    text,
    /Total price when new: \$[\d,]+\nBase price: \$[\d,]+\n(?:.* in all: .*\n)+Destination: \$/,
  );
});

test('show_window_sticker returns a picture of the requested size', async () => {
  const vin = newVin('nissan');
  for (const [size, width] of [
    [undefined, 1280],
    ['small', 640],
    ['large', 1920],
  ] as const) {
    const { content, structuredContent } = await call(service, 'show_window_sticker', { vin, size });
    assert.equal(structuredContent, undefined);
    const [text, image] = content;
    assert.match(text?.type === 'text' ? text.text : '', /^Window sticker of the .*Nissan/i);
    assert.ok(image?.type === 'image' && image.mimeType === 'image/webp');
    assert.equal((await sharp(Buffer.from(image.data, 'base64')).metadata()).width, width);
  }
  const wrong = await call(service, 'show_window_sticker', { vin, size: 'huge' });
  assert.match(textOf(wrong), /"size" must be one of small, medium, large/);
  const without = newVin('ford');
  simulator.set(without, 'none');
  const none = await call(service, 'show_window_sticker', { vin: without });
  assert.deepEqual([none.isError, none.content.length], [undefined, 1]);
  assert.match(textOf(none), /no window sticker for this VIN/);
});

test('a VIN is suggested only if the decoder accepts exactly one candidate, and is never decoded instead', async () => {
  // Of the candidates with a correct check digit, the decoder accepts one of two, none of one, and two of nine.
  for (const [typed, meant] of [
    ['11VUUE46P6RA804038', '11VUE46P6RA804038'],
    ['1AA9P09091VM15B195', null],
    ['1FMUK8DH0TG00000', null],
  ] as const) {
    for (const name of forOneVin) {
      const result = await call(service, name, { vin: typed });
      assert.equal(result.isError, true, name);
      assert.equal(result.structuredContent, undefined, name);
      assert.equal(/Did you mean (\w+)\?$/.exec(textOf(result))?.[1] ?? null, meant, textOf(result));
    }
    const { results } = await callChecked('decode_vins', { vins: [typed] });
    const [first] = results as { suggested: string | null; vehicle?: object }[];
    assert.deepEqual([first!.suggested, first!.vehicle], [meant, undefined]);
  }
});

test('decode_vins decodes 50 VINs in order, and an invalid one does not fail the others', async () => {
  const cars = Array.from({ length: 48 }, () => newVin('subaru'));
  const requestsBefore = simulator.requests.length;
  const result = await callChecked('decode_vins', {
    vins: ['1FMUK8DH0TG00000O', ...cars, '1fm-uk8dh0-tg000000'],
  });
  const results = result.results as { vin: string; error?: { detail: string }; windowSticker?: object }[];
  assert.deepEqual(
    results.map(({ vin }) => vin),
    ['1FMUK8DH0TG00000O', ...cars, '1FMUK8DH0TG000000'],
  );
  assert.match(results[0]!.error!.detail, /Position 17.*Did you mean 1FMUK8DH0TG000000/);
  assert.deepEqual(results[1]!.windowSticker, { supported: true, available: null, reason: 'not-asked' });
  const { supported, available, sample } = results.at(-1)!.windowSticker as Record<string, unknown>;
  assert.deepEqual([supported, available, sample], [true, true, true]);
  assert.equal(simulator.requests.length, requestsBefore, 'no request to a source');
  const pasted = await callChecked('decode_vins', { vins: [`${cars[0]}, ${cars[1]}\n${cars[2]};`] });
  assert.equal((pasted.results as unknown[]).length, 3);
  const many = await call(service, 'decode_vins', { vins: [cars.join(','), cars.join(',')] });
  assert.match(textOf(many), /"vins" takes at most 50 VINs, got 96/);
});

test('compare_window_stickers lists the price differences, largest first', async () => {
  const vins = ['1C4RJHBR7TC000000', '1FMUK8DH0TG000000'];
  const result = await callChecked('compare_window_stickers', { vins });
  const cars = result.cars as { vin: string; totalCents: number }[];
  assert.deepEqual(
    cars.map(({ vin }) => vin),
    vins,
  );
  const differences = result.differences as { differenceCents: number }[];
  const totalDifference = cars[0]!.totalCents - cars[1]!.totalCents;
  const sum = differences.reduce((total, { differenceCents }) => total + differenceCents, 0);
  assert.equal(sum, totalDifference, 'the differences add up to the difference between the totals');
  const sizes = differences.map(({ differenceCents }) => Math.abs(differenceCents));
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => b - a),
  );
  assert.match(
    String(result.summary),
    new RegExp(`\\$${(Math.abs(totalDifference) / 100).toLocaleString('en-US')} more than`),
  );
  assert.equal(result.complete, true);

  const [without, ...others] = [newVin('ford'), newVin('gm'), newVin('kia'), newVin('nissan')];
  simulator.set(without, 'none');
  const four = await callChecked('compare_window_stickers', { vins: [without, ...others] });
  assert.deepEqual([four.complete, four.differences], [false, []]);
  const missing = (four.cars as { missing: string | null }[]).map((car) => car.missing);
  assert.match(missing[0]!, /no window sticker/);
  assert.deepEqual(missing.slice(1, 3), [null, null]);
  assert.match(missing[3]!, /show_window_sticker/);

  for (const [wrong, reply] of [
    [[vins[0]], /"vins" takes 2 or more VINs, got 1/],
    [[vins[0], vins[0]], /same VIN appears twice/],
    [[vins[0], 'nonsense'], /A VIN has 17 characters/],
    [[...vins, ...others], /"vins" takes at most 4 VINs, got 5/],
  ] as const)
    assert.match(textOf(await call(service, 'compare_window_stickers', { vins: wrong })), reply);
});

for (const era of ERAS) {
  test(`an invalid VIN is a tool error that names the position and suggests a correction, ${era}`, async () => {
    for (const name of withVin) {
      const result = await call(service, name, { vin: '1FMUK8DH0TG00000O' }, era);
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent, undefined);
      assert.match(textOf(result), /Position 17 is the letter O.*1FMUK8DH0TG000000/);
    }
  });
}

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

test('unknown or missing parameters and wrong types are tool errors that say what is expected', async () => {
  const wrong: [string, Record<string, unknown>, RegExp][] = [
    ['decode_vin', { vin: '1FMUK8DH0TG000000', year: 2026 }, /doesn't take "year"; it takes vin/],
    ['decode_vin', { vin: 5 }, /"vin" must be a string/],
    ['get_window_sticker', {}, /"vin" is missing; it must be a string/],
    ['decode_vins', { vins: 17 }, /"vins" must be a list of strings/],
    ['decode_vins', { vins: [] }, /1 or more VINs, got 0/],
    ['list_covered_makes', { make: ['Ford'] }, /"make" must be a string/],
    ['list_covered_makes', { make: 'x'.repeat(41) }, /at most 40 characters/],
  ];
  for (const [name, args, message] of wrong) {
    const result = await call(service, name, args);
    assert.equal(result.isError, true);
    assert.match(textOf(result), message);
  }
});

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

// Last, because a source that fails this often is paused.
test("every tool's result matches its schema whatever a source sends, and has no text of its error pages", async () => {
  for (const behavior of [
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
  ] as const) {
    const vin = newVin('ford');
    simulator.set(vin, behavior);
    for (const name of withVin)
      assert.doesNotMatch(
        JSON.stringify(await callChecked(name, { vin })),
        /edgesuite|cloudflare|something broke|a PDF nor text|later, please|slow down/i,
      );
  }
});
