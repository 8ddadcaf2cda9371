import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newLabel, pdfOf } from '../src/store/testing.ts';
import { behaviorNames, type Behavior } from '../tools/simulator/behaviors.ts';
import { ERAS, call, request, textOf, type ToolCallResult } from './mcp-client.ts';
import { freshIp } from './service.ts';
import { newCar, startTools, withVin } from './mcp-tool-checks.ts';
import { pdfName } from '../src/store/label-bytes.ts';

/** Invalid arguments, limits, and sources that misbehave. */

const { service, simulator, callChecked } = await startTools();

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
    assert.match(textOf(all.result!), /^Twenty makes are covered/);
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

test('a label whose file is missing is a temporary failure, for tools and for resources', async () => {
  const { runtime, dataDir, logs } = service;
  const vin = newCar('ford');
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
