import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { newVin } from './operator.ts';
import { startSimulated } from './simulated.ts';

/** What a lookup says about a label, with real sockets, a real store and a simulated manufacturer. */

const { service, simulator } = await startSimulated();

const lookup = (vin: string, query = '') => service.json<VinResponse>(`/api/v1/vin/${vin}${query}`);
const requestCount = (vin: string) => simulator.requests.filter((request) => request.vin === vin).length;

test('a label from the source is available, stored, and served byte for byte', async () => {
  const vin = newVin('ford');
  const { windowSticker: sticker, vehicle } = await lookup(vin);
  assert.equal(vehicle?.make, 'FORD');
  assert.equal(sticker.supported, true);
  assert.equal(sticker.available, true);
  assert.match(sticker.pdf!, new RegExp(`/api/sticker/${vin}$`));
  assert.match(sticker.page, new RegExp(`/window-sticker/${vin}$`));
  assert.ok(sticker.paint?.color);

  const pdf = await service.get(`/api/sticker/${vin}`);
  const bytes = Buffer.from(await pdf.arrayBuffer());
  assert.equal(pdf.status, 200);
  assert.equal(bytes.length, sticker.bytes);
  assert.equal(pdf.headers.get('etag'), `"${createHash('sha256').update(bytes).digest('hex')}"`);
  assert.equal(requestCount(vin), 1);
});

test('a second lookup of a stored label sends no request to the source, with or without sticker=false', async () => {
  const vin = newVin('gm');
  await lookup(vin);
  const second = await lookup(vin);
  const withoutSticker = await lookup(vin, '?sticker=false');
  assert.equal(second.windowSticker.available, true);
  assert.deepEqual(withoutSticker, second);
  assert.equal(requestCount(vin), 1);
});

test('an unknown make is reported as unknown and cached for an hour, not a day', async () => {
  const response = await service.get('/api/v1/vin/JTMACBGAXT5900000');
  const { vehicle, warning, windowSticker } = (await response.json()) as VinResponse;
  assert.deepEqual([vehicle?.make, vehicle?.manufacturer], [null, 'TOYOTA MOTOR CORPORATION']);
  assert.deepEqual([windowSticker.supported, windowSticker.available], [false, false]);
  assert.match(warning ?? '', /We can't tell the make from this VIN, so we can't look up its sticker\.$/);
  assert.equal(response.headers.get('cache-control'), 'public, max-age=3600');
  const pdf = await service.get('/api/sticker/JTMACBGAXT5900000');
  assert.equal(pdf.headers.get('cache-control'), 'public, max-age=3600');
  const { reason, detail } = (await pdf.json()) as { reason: string; detail: string };
  assert.equal(reason, 'make-not-supported');
  assert.match(detail, /NHTSA only knows its manufacturer, TOYOTA MOTOR CORPORATION\./);
});

test('if all possible makes share one source, that source is asked', async () => {
  for (const [vin, make] of [
    ['JN8BY2AE4P9900000', 'NISSAN'],
    ['5TDAAAAA8TS900001', 'TOYOTA'],
  ] as const) {
    const { vehicle, windowSticker } = await lookup(vin);
    assert.equal(vehicle?.make, null);
    assert.deepEqual([windowSticker.supported, windowSticker.available], [true, true], vin);
    assert.equal(requestCount(vin), 1);
    assert.equal((await service.runtime.store.find(vin)).label?.make, make);
  }
});

test('200 concurrent lookups of one VIN send one request to the source', async () => {
  const vin = newVin('ford');
  simulator.set(vin, 'slow-label');
  const responses = await Promise.all(Array.from({ length: 200 }, () => lookup(vin)));
  assert.ok(responses.every((response) => response.windowSticker.available === true));
  assert.equal(requestCount(vin), 1);
});

test('a label is fetched and stored even if its only client disconnects', async () => {
  const vin = newVin('ford');
  simulator.set(vin, 'slow-label');
  const abort = new AbortController();
  const request = service.get(`/api/v1/vin/${vin}`, { signal: abort.signal }).catch(() => 'aborted');
  while (requestCount(vin) === 0) await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  assert.equal(await request, 'aborted');
  // Joins the fetch.
  assert.equal((await lookup(vin)).windowSticker.available, true);
  assert.equal(requestCount(vin), 1);
});
