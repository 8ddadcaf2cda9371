import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchResponse, Price, VinResponse } from '@monroney/client';
import { specimens } from '../src/lookup/specimens/index.ts';
import { startSimulated } from './simulated.ts';

/** POST /api/v1/decode over a real socket. Every response is also validated against `/openapi.json`. */

const HELD = '1FMUK8DH0TG000000';
const NEW = '1FTFW1E50PFA12345';
const { service, simulator } = await startSimulated();

const post = (body: unknown, headers: Record<string, string> = {}) =>
  service.get('/api/v1/decode', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  });

test('each result equals a lookup with sticker=false, in the order sent', async () => {
  const vins = [NEW, ...specimens.map(({ vin }) => vin.toLowerCase()), HELD];
  const response = await post({ vins });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const { ok, results } = (await response.json()) as BatchResponse;
  assert.equal(ok, true);
  for (const [index, vin] of vins.entries()) {
    const isSpecimen = specimens.some((specimen) => specimen.vin === vin.toUpperCase());
    const { ok: _, ...single } = await service.json<VinResponse>(`/api/v1/vin/${vin}?sticker=false`);
    assert.deepEqual(results[index], single);
    assert.equal(single.windowSticker.sample, isSpecimen ? true : undefined, vin);
  }
});

test('a stored sticker has its paint and price in a lookup and in a batch', async () => {
  const { results } = (await (await post({ vins: [HELD] })).json()) as BatchResponse;
  const single = await service.json<VinResponse>(`/api/v1/vin/${HELD}`);
  const { label } = await service.json<{ label: { prices: Price } }>(`/api/v1/vin/${HELD}/label`);
  const { total, base, currency } = label.prices;
  for (const sticker of [results[0]!.windowSticker, single.windowSticker]) {
    assert.deepEqual(sticker?.price, { total, base, currency });
    assert.ok(sticker?.paint);
  }
});

test('a VIN that was probably meant is suggested as data, in a result and in a problem', async () => {
  const letterO = HELD.replace('0', 'O');
  const { results } = (await (await post({ vins: [letterO, '1FMUK'] })).json()) as BatchResponse;
  assert.deepEqual(
    results.map(({ suggestedVin, error }) => [suggestedVin, error?.reason]),
    [
      [HELD, 'bad-vin'],
      [null, 'bad-vin'],
    ],
  );
  for (const path of [`/api/v1/vin/${letterO}`, `/api/sticker/${letterO}`, `/api/sticker/${HELD}.pdf`]) {
    const problem = (await (await service.get(path)).json()) as { reason: string; suggestedVin: string };
    assert.equal(problem.reason, 'bad-vin', path);
    assert.equal(problem.suggestedVin, HELD, path);
  }
});

test('a batch sends no requests to sources', async () => {
  const before = simulator.requests.length;
  await post({ vins: [NEW] });
  assert.equal(simulator.requests.length, before);
});

test('a client that prefers NDJSON gets one line per VIN', async () => {
  const accept = 'application/x-ndjson, application/json;q=0.5';
  const response = await post({ vins: [HELD, 'no'] }, { Accept: accept });
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
  assert.match(response.headers.get('vary') ?? '', /Accept/);
  const lines = (await response.text()).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { vin: string }).vin),
    [HELD, 'no'],
  );
  const only = await post({ vins: [HELD] }, { Accept: 'application/x-ndjson, */*' });
  assert.equal(only.headers.get('content-type'), 'application/x-ndjson');
  const sequence = 'application/json-seq, application/x-ndjson;q=0.5';
  const other = await post({ vins: [HELD] }, { Accept: sequence });
  assert.equal(other.headers.get('content-type'), 'application/x-ndjson');
  const json = await post({ vins: [HELD] }, { Accept: 'application/json, application/x-ndjson;q=0.1' });
  assert.equal(json.headers.get('content-type'), 'application/json');
});

test('a generated client, which accepts every documented type, gets JSON', async () => {
  const accept = 'application/json, application/x-ndjson, application/problem+json';
  const response = await post({ vins: [HELD] }, { Accept: accept });
  assert.equal(response.headers.get('content-type'), 'application/json');
});

test('a byte order mark before the JSON is ignored', async () => {
  const response = await post(`\uFEFF${JSON.stringify({ vins: [HELD] })}`);
  assert.equal(response.status, 200);
});
