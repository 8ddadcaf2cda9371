import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, test } from 'node:test';
import type { BatchResponse, Price, VinResponse } from '@monroney/client';
import { specimens } from '../src/lookup/specimens/index.ts';
import { startSimulator, type Simulator } from '../tools/simulator/simulator.ts';
import { freshIp, startService, type Service } from './service.ts';

/** POST /api/v1/decode over a real socket. Every response is also validated against `/openapi.json`. */

const HELD = '1FMUK8DH0TG000000';
const NEW = '1FTFW1E50PFA12345';
let simulator: Simulator;
let service: Service;
before(async () => {
  simulator = await startSimulator();
  service = await startService({ SOURCE_ORIGIN: simulator.origin });
});
after(async () => {
  await service.close();
  await simulator.close();
});

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

test('one bad VIN does not fail the others', async () => {
  const long = 'x'.repeat(500);
  const { results } = (await (await post({ vins: ['1FMUK', ` ${HELD} `, '', long] })).json()) as {
    results: { vin: string; error?: { reason: string; detail: string } }[];
  };
  assert.deepEqual(
    results.map(({ vin, error }) => [vin.length, error?.reason]),
    [
      [5, 'bad-vin'],
      [17, undefined],
      [0, 'bad-vin'],
      [100, 'bad-vin'],
    ],
  );
  assert.match(results[0]!.error!.detail, /17/);
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
  const json = await post({ vins: [HELD] }, { Accept: 'application/json, application/x-ndjson;q=0.1' });
  assert.equal(json.headers.get('content-type'), 'application/json');
});

test('a generated client, which accepts every documented type, gets JSON', async () => {
  const accept = 'application/json, application/x-ndjson, application/problem+json';
  const response = await post({ vins: [HELD] }, { Accept: accept });
  assert.equal(response.headers.get('content-type'), 'application/json');
});

test('an invalid body gets a 400 that says what is wrong', async () => {
  const bodies = ['', '{', 'null', '[]', '{"vins":"x"}', '{"vins":[]}', '{"vins":[1]}'];
  const many = { vins: Array.from({ length: 51 }, () => HELD) };
  for (const body of [...bodies, many]) {
    const response = await post(body);
    assert.equal(response.status, 400, JSON.stringify(body).slice(0, 80));
    const { reason, detail } = (await response.json()) as { reason: string; detail: string };
    assert.equal(reason, 'bad-parameter');
    assert.match(detail, /VINs|vins/);
  }
});

test('a body over 64 KB gets a 413, and one that is not plain JSON a 415', async () => {
  const statusOf = async (body: unknown, headers = {}) => {
    const response = await post(body, headers);
    return [response.status, ((await response.json()) as { reason: string }).reason];
  };
  const huge = { vins: [HELD], more: 'x'.repeat(70_000) };
  assert.deepEqual(await statusOf(huge), [413, 'body-too-large']);
  for (const headers of [{ 'Content-Type': 'text/plain' }, { 'Content-Encoding': 'gzip' }])
    assert.deepEqual(await statusOf({ vins: [HELD] }, headers), [415, 'unsupported-media-type']);
});

test('the problem names the entry that is not a string, or says that the body is compressed', async () => {
  const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail;
  assert.match(await detailOf(await post({ vins: [HELD, null] })), /vins\[1\] is null/);
  assert.match(await detailOf(await post({ vins: [HELD] }, { 'Content-Encoding': 'gzip' })), /uncompressed/);
});

test('a byte order mark before the JSON is ignored', async () => {
  const response = await post(`\uFEFF${JSON.stringify({ vins: [HELD] })}`);
  assert.equal(response.status, 200);
});

/** `curl -X POST` without data sends neither Content-Length nor Transfer-Encoding. */
for (const path of ['/api/v1/decode', '/vpic/api/vehicles/DecodeVINValuesBatch/', '/mcp']) {
  test(`a POST without any body to ${path} is a 400`, async () => {
    const { hostname, port, host } = new URL(service.origin);
    const socket = net.connect(Number(port), hostname);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    assert.match(head.toString(), /^HTTP\/1.1 400 /);
  });
}

test('50 VINs count as one request, and other methods get a 405 with Allow', async () => {
  const vins = Array.from({ length: 50 }, () => HELD);
  const headers = { 'x-forwarded-for': freshIp() };
  const response = await post({ vins }, headers);
  assert.equal(((await response.json()) as BatchResponse).results.length, 50);
  assert.match(response.headers.get('ratelimit') ?? '', /r=9/);
  const wrong = await service.get('/api/v1/decode');
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'POST, OPTIONS']);
});
