import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { checkDigit } from '@monroney/vin';
import { INSTRUCTIONS } from '../src/mcp/server.ts';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { specimens } from '../src/lookup/specimens/index.ts';
import { makeCount, sources } from '../src/makers/index.ts';
import { behaviourNames, type Behaviour } from '../tools/simulator/behaviours.ts';
import { startSimulator, type Simulator } from '../tools/simulator/simulator.ts';
import { ERAS, ask, call, textOf } from './mcp-client.ts';
import { freshAddress, startService, type Service } from './service.ts';
import { tools } from '../src/mcp/tools.ts';

/** The tools, as an assistant sees them, over real sockets against simulated manufacturers. */

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
  outputSchema: Schema;
  annotations: Record<string, unknown>;
}

let simulator: Simulator;
let service: Service;
let listed: Listed[];
const validators = new Map<string, ValidateFunction>();

before(async () => {
  simulator = await startSimulator();
  service = await startService({ SOURCE_ORIGIN: simulator.origin });
  const { result } = await ask<{ tools: Listed[] }>(service, '2026-07-28', 'tools/list');
  listed = result!.tools;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: false });
  formats.default(ajv);
  for (const tool of listed) validators.set(tool.name, ajv.compile(tool.outputSchema));
});
after(async () => {
  await service.close();
  await simulator.close();
});

let serial = 200_000;
/** A new car of a source's example model: a VIN nobody has asked for yet. */
function newCar(sourceId: string): string {
  const { example } = sources.find((source) => source.id === sourceId)!;
  const vin = example.slice(0, -5) + String(++serial).slice(-5);
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

/** Calls a tool and holds the answer against everything that is promised of any answer. */
async function answer(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const result = await call(service, name, args);
  assert.notEqual(result.isError, true, textOf(result));
  const valid = validators.get(name)!;
  assert.ok(valid(result.structuredContent), `${name}: ${JSON.stringify(valid.errors)}`);
  assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent);
  return result.structuredContent!;
}

const withVin = ['get_window_sticker', 'read_window_sticker', 'decode_vin', 'explain_missing_sticker'];

test('the tools are the same in both eras', async () => {
  const names = listed.map((tool) => tool.name);
  assert.deepEqual(
    names,
    tools.map((tool) => tool.name),
  );
  for (const name of [...withVin, 'list_covered_makes']) assert.ok(names.includes(name), name);
  const { result } = await ask<{ tools: Listed[] }>(service, '2025-11-25', 'tools/list');
  assert.deepEqual(result!.tools, listed);
});

test('a description has at most 450 characters and names a sibling; the instructions have fewer than 800', () => {
  for (const { name, title, description } of listed) {
    assert.ok(title, name);
    assert.ok(description.length <= 450, `${name}: ${description.length}`);
    const siblings = listed.filter((other) => other.name !== name && description.includes(other.name));
    assert.ok(siblings.length > 0, name);
  }
  assert.ok(INSTRUCTIONS.length < 800, String(INSTRUCTIONS.length));
  for (const { name } of listed) assert.ok(INSTRUCTIONS.includes(name), name);
});

test('all four annotations are there; only tools that may ask a manufacturer are open to the world', () => {
  for (const { name, title, annotations } of listed) {
    assert.deepEqual(annotations, {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: !['decode_vin', 'list_covered_makes'].includes(name),
    });
  }
});

function walk(schema: Schema, path: string, visit: (schema: Schema, path: string) => void): void {
  visit(schema, path);
  for (const [name, inner] of Object.entries(schema.properties ?? {})) walk(inner, `${path}.${name}`, visit);
  for (const inner of schema.anyOf ?? []) walk(inner, path, visit);
  if (schema.items) walk(schema.items, `${path}[]`, visit);
}

test('every field of every input and output is described, at every depth', () => {
  let fields = 0;
  for (const tool of listed)
    for (const schema of [tool.inputSchema, tool.outputSchema])
      walk(schema, tool.name, ({ properties }, path) => {
        for (const [name, field] of Object.entries(properties ?? {})) {
          fields++;
          assert.ok(field.description, `${path}.${name} has no description`);
        }
      });
  assert.ok(fields > 100, 'the walk reached the fields');
});

test('inputs are strict, outputs open, and no place has two types or a reference', () => {
  for (const { name, inputSchema, outputSchema } of listed) {
    assert.equal(inputSchema.additionalProperties, false, name);
    for (const schema of [inputSchema, outputSchema])
      walk(schema, name, ({ type, $ref }, path) => {
        assert.ok(!Array.isArray(type), path);
        assert.equal($ref, undefined, path);
      });
    walk(outputSchema, name, ({ additionalProperties }, path) =>
      assert.notEqual(additionalProperties, false, path),
    );
  }
});

test('the published VIN pattern admits lower case and nothing that is no VIN', () => {
  for (const { name, inputSchema } of listed) {
    if (!withVin.includes(name)) continue;
    const { pattern } = inputSchema.properties!.vin as { pattern: string };
    assert.match('1fmuk8dh0tg000000', new RegExp(pattern, 'u'));
    for (const wrong of ['1FMUK8DH0TG00000', '1FMUK8DH0TG0000000', 'IFMUK8DH0TG000000'])
      assert.doesNotMatch(wrong, new RegExp(pattern, 'u'));
  }
});

for (const { vin, shows } of specimens) {
  test(`every tool answers a specimen as its schema says: ${shows}`, async () => {
    for (const name of withVin) {
      const said = await answer(name, { vin: vin.toLowerCase() });
      assert.equal(said.vin, vin);
    }
  });
}

test('labels of every source are read as the schema says, and the sum of a text label closes', async () => {
  for (const source of sources) {
    const vin = newCar(source.id);
    const said = await answer('read_window_sticker', { vin });
    assert.equal(said.readable, source.reader !== null, source.id);
    if (said.readable) assert.equal((said.proof as { closes: boolean }).closes, true, source.id);
    else assert.match(String(said.missing), /open the PDF/);
  }
});

test('get_window_sticker answers the object of the API and links to the PDF', async () => {
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

test('without a label there is no link, and that is no error', async () => {
  const vin = newCar('ford');
  simulator.set(vin, 'none');
  const result = await call(service, 'get_window_sticker', { vin });
  assert.notEqual(result.isError, true);
  assert.equal(result.content.length, 1);
});

test('read_window_sticker of a car without label says why in a clean result', async () => {
  const vin = newCar('stellantis');
  simulator.set(vin, 'none');
  const said = await answer('read_window_sticker', { vin });
  assert.deepEqual(
    [said.readable, said.reason, said.label, said.proof, said.provenance, said.retryAfter],
    [false, 'no-label', null, null, null, null],
  );
  assert.match(String(said.missing), /no window sticker for this VIN/);
  assert.match(String(said.about), /data, never as instructions/);
});

test('explain_missing_sticker tells a failure that passes from a "none" that stays', async () => {
  const [failing, without] = [newCar('subaru'), newCar('subaru')];
  simulator.set(failing, 'unavailable');
  simulator.set(without, 'none');
  const passes = await answer('explain_missing_sticker', { vin: failing });
  assert.equal(passes.reason, 'try-again');
  assert.ok(Number(passes.retryAfter) > 0);
  const stays = await answer('explain_missing_sticker', { vin: without });
  assert.deepEqual([stays.reason, stays.retryAfter], ['no-label', null]);
  const honda = await answer('explain_missing_sticker', { vin: '1HGCV1F30LA000000' });
  assert.equal(honda.reason, 'make-not-supported');
});

test('list_covered_makes lists all makes, or the one that was asked for, or none', async () => {
  const all = await answer('list_covered_makes', {});
  assert.equal((all.makes as unknown[]).length, makeCount);
  assert.equal(all.covered, true);
  const jeep = await answer('list_covered_makes', { make: ' JEEP ' });
  assert.deepEqual(
    (jeep.makes as { make: string }[]).map((row) => row.make),
    ['Jeep'],
  );
  assert.deepEqual(await answer('list_covered_makes', { make: 'Honda' }), {
    ok: true,
    covered: false,
    makes: [],
  });
});

for (const era of ERAS) {
  test(`a bad VIN is a tool error in ${era} that names the position and the repair`, async () => {
    for (const name of withVin) {
      const result = await call(service, name, { vin: '1FMUK8DH0TG00000O' }, era);
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent, undefined);
      assert.match(textOf(result), /Position 17 holds the letter O.*1FMUK8DH0TG000000/);
    }
  });
}

test('parameters nobody knows, of the wrong kind, or missing are tool errors that say what is wanted', async () => {
  const wrong: [string, Record<string, unknown>, RegExp][] = [
    ['decode_vin', { vin: '1FMUK8DH0TG000000', year: 2026 }, /takes no "year"; it takes vin/],
    ['decode_vin', { vin: 5 }, /"vin" as text/],
    ['get_window_sticker', {}, /"vin" as text/],
    ['list_covered_makes', { make: ['Ford'] }, /"make" as text/],
    ['list_covered_makes', { make: 'x'.repeat(41) }, /at most 40 characters/],
  ];
  for (const [name, args, said] of wrong) {
    const result = await call(service, name, args);
    assert.equal(result.isError, true);
    assert.match(textOf(result), said);
  }
});

test('the 21st car a minute that is not held is refused to an address; held labels and decodes are not', async () => {
  const extra = { headers: { 'X-Forwarded-For': freshAddress() } };
  const sticker = (vin: string) => call(service, 'get_window_sticker', { vin }, '2025-11-25', extra);
  const cars = Array.from({ length: 20 }, () => newCar('ford'));
  for (const vin of cars) assert.notEqual((await sticker(vin)).isError, true);
  const late = newCar('ford');
  const refused = await sticker(late);
  assert.equal(refused.isError, true);
  assert.match(textOf(refused), /20 in a minute and 5 at once .* Ask again in \d+ seconds/);
  assert.ok(!simulator.requests.some((request) => request.vin === late), 'the manufacturer was left alone');

  assert.notEqual((await sticker(cars[0]!)).isError, true, 'held');
  const decoded = await call(service, 'decode_vin', { vin: late }, '2025-11-25', extra);
  assert.notEqual(decoded.isError, true);
  const elsewhere = await call(service, 'get_window_sticker', { vin: late });
  assert.notEqual(elsewhere.isError, true, 'another address has a share of its own');
});

// Last, because a source that failed so often is left alone for a while.
for (const behaviour of behaviourNames) {
  // These take as long as we are willing to wait.
  if (['hang', 'drip'].includes(behaviour satisfies Behaviour)) continue;
  test(`every tool answers as its schema says where a source does this: ${behaviour}`, async () => {
    const vin = newCar('ford');
    simulator.set(vin, behaviour);
    for (const name of withVin) {
      const said = JSON.stringify(await answer(name, { vin }));
      // What simulated servers write into their error pages.
      assert.doesNotMatch(
        said,
        /edgesuite|cloudflare|something broke|fish nor fowl|later, please|slow down/i,
      );
    }
  });
}
