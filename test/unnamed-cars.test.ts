import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkDigit } from '@monroney/vin';
import { parse } from 'csv-parse/sync';
import type { LabelResponse, VinResponse } from '../src/lookup/schemas.ts';
import { vpic } from './decoder.ts';
import { childEnv } from './command.ts';
import { runInProcess } from './in-process.ts';
import { call, textOf } from './mcp-client.ts';
import { startSimulated } from './simulated.ts';
import { drawLabel } from '../tools/specimens/draw.ts';

/** Cars whose manufacturer vPIC knows, but not their make: here Dodges, which isn't the first make of their source. */

const { service, simulator } = await startSimulated();
simulator.set('stellantis', (response, { vin }) =>
  response.writeHead(200, { 'content-type': 'application/pdf' }).end(
    drawLabel({
      vin,
      make: 'Dodge',
      year: 2023,
      model: 'CHALLENGER SRT HELLCAT',
      series: 'DODGE CHALLENGER SRT HELLCAT',
      engine: '6.2L V8 Supercharged Engine',
    }),
  ),
);

let serial = 100_200;
/** A car by FCA Canada, which may be a Dodge, a Chrysler or one of two others. */
const newCar = (start = '2C3CDZH9') => {
  const vin = `${start}0PH${serial++}`;
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
};
const lookUp = async (vin: string) => (await (await service.get(`/api/v1/vin/${vin}`)).json()) as VinResponse;
const readLabel = async (vin: string) =>
  (await (await service.get(`/api/v1/vin/${vin}/label`)).json()) as LabelResponse;
const requestsFor = (vin: string) => simulator.requests.filter((request) => request.vin === vin).length;

test('its label comes from the source that its makes share', async () => {
  const vin = newCar();
  assert.equal(vin, '2C3CDZH99PH100200');
  assert.equal(vpic.decode(vin).vehicle?.make, null);
  const { vehicle, windowSticker } = await lookUp(vin);
  assert.deepEqual([vehicle?.make, windowSticker.supported, windowSticker.available], [null, true, true]);
  assert.equal((await readLabel(vin)).label?.make, 'Dodge');
  assert.equal((await service.get(`/api/sticker/${vin}`)).status, 200);
  assert.equal((await service.runtime.store.find(vin)).label?.make, 'DODGE');
  assert.equal(requestsFor(vin), 1);
});

test('makes without labels beside them do not matter, but makes of another source do', async () => {
  for (const [start, unread] of [
    ['1C4AAAAA', null],
    ['JN1AAAAA', 'picture'],
  ] as const) {
    const vin = newCar(start);
    assert.equal(vpic.decode(vin).vehicle?.make, null, vin);
    assert.equal((await lookUp(vin)).windowSticker.available, true, vin);
    assert.equal((await readLabel(vin)).reason, unread, vin);
  }
  for (const start of ['JTEAAAAA', 'JA4AAAAA']) {
    const vin = newCar(start);
    assert.equal(vpic.decode(vin).vehicle?.make, null, vin);
    const { windowSticker } = await lookUp(vin);
    assert.deepEqual([windowSticker.supported, windowSticker.reason], [false, 'make-not-supported'], vin);
    assert.equal(requestsFor(vin), 0);
  }
});

test('it is a car of its manufacturer until the label names the make', async () => {
  const vin = newCar();
  simulator.set(vin, 'none');
  await lookUp(vin);
  const without = await (await service.get(`/window-sticker/${vin}`)).text();
  assert.match(without, /A car made by FCA Canada Inc\./);
  assert.match(without, /Stellantis has no window sticker/);
  const held = newCar();
  await lookUp(held);
  const page = await (await service.get(`/window-sticker/${held}`)).text();
  assert.match(page, /<h1[^>]*>\s*2023 Dodge /);
  assert.match(page, /"brand":\{"@type":"Brand","name":"Dodge"\}/);
  assert.doesNotMatch(page, /unknown make|made by FCA/);
});

test('tools and batches say the same', async () => {
  const vin = newCar();
  assert.match(textOf(await call(service, 'decode_vin', { vin })), /^Unknown vehicle \(/);
  const read = await call(service, 'read_window_sticker', { vin });
  assert.match(textOf(read), new RegExp(`^2023 Dodge \\(${vin}\\)`));
  const compared = await call(service, 'compare_window_stickers', { vins: [vin, newCar()] });
  assert.match(textOf(compared), new RegExp(`2023 Dodge \\(${vin}\\): \\$`));
  const response = await service.get('/api/v1/decode', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ vins: [vin, newCar()] }),
  });
  const { results } = (await response.json()) as { results: VinResponse[] };
  assert.deepEqual(
    results.map(({ windowSticker }) => [windowSticker.supported, windowSticker.available]),
    [
      [true, true],
      [true, null],
    ],
  );
});

test('enrich looks it up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'monroney-unnamed-'));
  after(() => rmSync(folder, { recursive: true }));
  const [input, output] = [join(folder, 'in.csv'), join(folder, 'out.csv')];
  writeFileSync(input, `VIN\n${newCar()}\n`);
  const { code, err } = await runInProcess(
    ['enrich', input, '-o', output, '--url', service.origin],
    childEnv,
  );
  assert.equal(code, 0, err);
  const [row] = parse<Record<string, string>>(readFileSync(output, 'utf8'), { columns: true });
  assert.equal(row!['vin_sticker'], 'available');
  assert.ok(Number(row!['vin_total']) > 0);
});
