import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import sharp from 'sharp';
import { checkDigit } from '@monroney/vin';
import { INSTRUCTIONS } from '../src/mcp/server.ts';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { specimens } from '../src/lookup/specimens/index.ts';
import { makeCount, sources } from '../src/makers/index.ts';
import { behaviorNames, type Behavior } from '../tools/simulator/behaviors.ts';
import { startSimulator, type Simulator } from '../tools/simulator/simulator.ts';
import { ERAS, request, call, textOf } from './mcp-client.ts';
import { freshIp, startService, type Service } from './service.ts';
import { toolNamed } from '../src/mcp/call.ts';
import { tools } from '../src/mcp/tools.ts';

/** The tools as an assistant sees them, with real sockets and simulated manufacturers. */

interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  $ref?: string;
}
interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  outputSchema?: Schema;
  annotations: Record<string, unknown>;
}

let simulator: Simulator;
let service: Service;
let listed: Listed[];
let listedJson: string;
const validators = new Map<string, ValidateFunction>();

before(async () => {
  simulator = await startSimulator();
  service = await startService({ SOURCE_ORIGIN: simulator.origin });
  const { result } = await request<{ tools: Listed[] }>(service, '2026-07-28', 'tools/list');
  listed = result!.tools;
  listedJson = JSON.stringify(listed);
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: false });
  formats.default(ajv);
  for (const { name, outputSchema } of listed)
    if (outputSchema) validators.set(name, ajv.compile(outputSchema));
});
after(async () => {
  await service.close();
  await simulator.close();
});

let serial = 200_000;
/** A VIN of the source's example model that has not been looked up yet. */
function newCar(sourceId: string): string {
  const { example } = sources.find((source) => source.id === sourceId)!;
  const vin = example.slice(0, -5) + String(++serial).slice(-5);
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

/**
 * Text for clients that show nothing else: no JSON, and at most 400 tokens (test/mcp/tokens.test.ts) unless there are
 * many cars.
 */
function assertShortText(name: string, text: string): void {
  assert.ok(text.length > 0, name);
  assert.doesNotMatch(text, /[{}]|\bnull\b|undefined|NaN/, name);
  if (name !== 'decode_vins') assert.ok(text.length <= 1_250, `${name}: ${text.length} characters`);
}

/** Every field of a result is described in the tool list, most of them in the description of the object they are in. */
function assertAllDescribed(name: string, value: unknown, path = name): void {
  if (Array.isArray(value)) value.forEach((item) => assertAllDescribed(name, item, `${path}[]`));
  else if (value !== null && typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) {
      // Always true, and of no use to an assistant.
      if (key === 'ok') continue;
      assert.match(listedJson, new RegExp(`\\b${key}\\b`), `${path}.${key} is not described`);
      assertAllDescribed(name, inner, `${path}.${key}`);
    }
}

/** Calls a tool and checks everything that applies to any result. */
async function callChecked(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const result = await call(service, name, args);
  assert.notEqual(result.isError, true, textOf(result));
  const valid = validators.get(name)!;
  assert.ok(valid(result.structuredContent), `${name}: ${JSON.stringify(valid.errors)}`);
  // The published schema doesn't say which fields are always there.
  toolNamed(name).output!.parse(result.structuredContent);
  assertShortText(name, textOf(result));
  assertAllDescribed(name, result.structuredContent!);
  return result.structuredContent!;
}

const withVin = ['get_window_sticker', 'read_window_sticker', 'decode_vin', 'explain_missing_sticker'];

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

test('the tool list takes fewer than 3,500 tokens', () => {
  // A tokenizer counts 4.16 characters per token: test/mcp/tokens.test.ts.
  assert.ok(listedJson.length / 4.1 < 3_500, `${listedJson.length} characters`);
});

test('every field of every input and output is described, at every depth', () => {
  let fields = 0;
  for (const tool of listed)
    for (const schema of schemasOf(tool))
      walk(schema, tool.name, ({ properties }, path) => {
        for (const [name, field] of Object.entries(properties ?? {})) {
          fields++;
          assert.ok(field.description, `${path}.${name} has no description`);
        }
      });
  assert.ok(fields > 45, `the walk reached ${fields} fields`);
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

for (const { vin, shows } of specimens) {
  test(`every tool's result for a specimen matches its schema: ${shows}`, async () => {
    for (const name of withVin) {
      const result = await callChecked(name, { vin: vin.toLowerCase() });
      assert.equal(result.vin, vin);
    }
  });
}

test('readings from every source match the schema, and the prices of readable labels add up', async () => {
  for (const source of sources) {
    const vin = newCar(source.id);
    const result = await callChecked('read_window_sticker', { vin });
    assert.equal(result.readable, source.reader !== null, source.id);
    if (result.readable) assert.equal((result.proof as { closes: boolean }).closes, true, source.id);
    else assert.match(String(result.missing), /show_window_sticker, or open the PDF/);
  }
});

test('get_window_sticker returns the API’s object and links to the PDF', async () => {
  const vin = newCar('gm');
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
  const vin = newCar('ford');
  simulator.set(vin, 'none');
  const result = await call(service, 'get_window_sticker', { vin });
  assert.notEqual(result.isError, true);
  assert.equal(result.content.length, 1);
});

test('read_window_sticker says why if a car has no label, without an error', async () => {
  const vin = newCar('stellantis');
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
  const [failing, without] = [newCar('subaru'), newCar('subaru')];
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
  const vin = newCar('gm');
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
  assert.match(text, /Total price when new: \$[\d,]+\nBase price: \$[\d,]+\nDestination: \$/);
});

test('show_window_sticker returns a picture of the requested size', async () => {
  const vin = newCar('nissan');
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
  const without = newCar('ford');
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
    for (const name of [...withVin, 'show_window_sticker']) {
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
  const cars = Array.from({ length: 48 }, () => newCar('subaru'));
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
  assert.deepEqual(results[1]!.windowSticker, { supported: true, available: null });
  assert.deepEqual(results.at(-1)!.windowSticker, { supported: true, available: true });
  assert.equal(simulator.requests.length, requestsBefore, 'no request to a source');
  const pasted = await callChecked('decode_vins', { vins: [`${cars[0]}, ${cars[1]}\n${cars[2]};`] });
  assert.equal((pasted.results as unknown[]).length, 3);
  const many = await call(service, 'decode_vins', { vins: [cars.join(','), cars.join(',')] });
  assert.match(textOf(many), /"vins" takes at most 50 VINs, got 96/);
});

test('compare_window_stickers lists the price differences, largest first', async () => {
  const vins = ['1C4RJHBR7TC000000', '1FMUK8DH0TG000000'];
  const result = await callChecked('compare_window_stickers', { vins });
  const cars = result.cars as { vin: string; total: number }[];
  assert.deepEqual(
    cars.map(({ vin }) => vin),
    vins,
  );
  const differences = result.differences as { amounts: (number | string)[]; difference: number }[];
  const totalDifference = cars[0]!.total - cars[1]!.total;
  const sum = differences.reduce((total, { difference }) => total + difference, 0);
  assert.equal(
    Math.round(sum * 100),
    Math.round(totalDifference * 100),
    'the differences add up to the difference between the totals',
  );
  const sizes = differences.map(({ difference }) => Math.abs(difference));
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => b - a),
  );
  assert.match(
    String(result.summary),
    new RegExp(`\\$${Math.abs(totalDifference).toLocaleString('en-US')} more than`),
  );
  assert.equal(result.complete, true);

  const [without, ...others] = [newCar('ford'), newCar('gm'), newCar('kia'), newCar('nissan')];
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

test('the 21st new car per minute from one IP address is refused; stored labels and decodes are not', async () => {
  const extra = { headers: { 'X-Forwarded-For': freshIp() } };
  const sticker = (vin: string) => call(service, 'get_window_sticker', { vin }, '2025-11-25', extra);
  const cars = Array.from({ length: 20 }, () => newCar('ford'));
  for (const vin of cars) assert.notEqual((await sticker(vin)).isError, true);
  const newVin = newCar('ford');
  const refused = await sticker(newVin);
  assert.equal(refused.isError, true);
  assert.match(textOf(refused), /20 a minute and 5 at once .* Try again in \d+ seconds/);
  assert.ok(!simulator.requests.some((request) => request.vin === newVin), 'no request to the manufacturer');

  assert.notEqual((await sticker(cars[0]!)).isError, true, 'stored');
  const decoded = await call(service, 'decode_vin', { vin: newVin }, '2025-11-25', extra);
  assert.notEqual(decoded.isError, true);
  const elsewhere = await call(service, 'get_window_sticker', { vin: newVin });
  assert.notEqual(elsewhere.isError, true, 'another IP address has its own limit');
});

// These come last because a source that fails this often is paused.
for (const behavior of behaviorNames) {
  // These take as long as the timeout.
  if (['hang', 'drip'].includes(behavior satisfies Behavior)) continue;
  test(`every tool's result matches its schema for this source response: ${behavior}`, async () => {
    const vin = newCar('ford');
    simulator.set(vin, behavior);
    for (const name of withVin) {
      const result = JSON.stringify(await callChecked(name, { vin }));
      // Text from the simulated servers' error pages.
      assert.doesNotMatch(
        result,
        /edgesuite|cloudflare|something broke|a PDF nor text|later, please|slow down/i,
      );
    }
  });
}
