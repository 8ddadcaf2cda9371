import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { after, test } from 'node:test';
import { listen } from '../lib/testing.ts';
import { openFetch } from './fetch.ts';
import { openHosts } from './hosts.ts';
import { LIVE_HOSTS, LIVE_MAX_BYTES, liveVpic, type LiveVpicOptions } from './vpic-live.ts';

const vin = '1M8GDM9AXKP042788';
const values = {
  VIN: vin,
  ErrorCode: '0',
  Make: 'FORD',
  Model: 'F-150',
  ModelYear: '2026',
  Trim: '',
  BodyClass: 'Pickup',
  DriveType: '4WD/4-Wheel Drive/4x4',
  DisplacementL: '3.474057568',
  EngineCylinders: '6',
  TransmissionStyle: 'Automatic',
  TransmissionSpeeds: '10',
  PlantCity: 'DEARBORN',
  PlantState: 'MICHIGAN',
  PlantCountry: 'UNITED STATES (USA)',
  SuggestedVIN: '',
};
const answer = (more: Partial<typeof values> = {}): string =>
  JSON.stringify({ Results: [{ ...values, ...more }] });

async function nhtsa(listener: RequestListener): Promise<{ origin: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers['user-agent']}`);
    listener(request, response);
  });
  return { origin: `http://127.0.0.1:${await listen({ after }, server)}`, requests };
}

function live(origin: string, more: Partial<LiveVpicOptions> = {}) {
  const values = new Map<string, { value: string; until: number }>();
  const warnings: string[] = [];
  const decoder = liveVpic({
    origin: 'https://vpic.example',
    fetch: openFetch({ baseUrl: 'http://localhost', sourceOrigin: origin, maxBytes: LIVE_MAX_BYTES }),
    hosts: openHosts({ ...LIVE_HOSTS, everyMs: 0 }),
    store: {
      value: async (key) => values.get(key)?.value ?? null,
      setValue: async (key, value, until) => void values.set(key, { value, until }),
    },
    log: { warn: (message, fields) => void warnings.push(`${message}: ${fields?.why}`) },
    timeoutMs: 600_000,
    ...more,
  });
  return { decoder, values, warnings };
}

test('the vehicle has the same format as from the offline decoder', async () => {
  const { origin, requests } = await nhtsa((_, response) => response.end(answer()));
  const { decoder, values } = live(origin, { now: () => 1_000 });
  const decoded = await decoder.decode(vin);
  assert.equal(decoded?.vehicle?.engine.displacement, '3.5L');
  assert.equal(decoded?.vehicle?.transmission, '10-Speed Automatic');
  assert.equal(decoded?.vehicle?.plant, 'DEARBORN, MICHIGAN, UNITED STATES (USA)');
  assert.equal(decoded?.vehicle?.trim, null);
  assert.deepEqual(decoded?.codes, [0]);
  assert.equal(decoded?.warning, null);
  assert.deepEqual(requests, [
    `/vpic.example/api/vehicles/decodevinvalues/${vin}?format=json Monroney/1.0 (+http://localhost)`,
  ]);
  assert.equal([...values.values()][0]?.until, 1_000 + 30 * 86_400_000);
});

test('a result is requested once and stored, also when NHTSA does not know the VIN', async () => {
  const { origin, requests } = await nhtsa((_, response) => response.end(answer()));
  const { decoder } = live(origin);
  const [first, second] = await Promise.all([decoder.decode(vin), decoder.decode(vin)]);
  assert.deepEqual(await decoder.decode(vin), first);
  assert.deepEqual(second, first);
  assert.equal(requests.length, 1);

  const unknown = await nhtsa((_, response) => response.end(answer({ ErrorCode: '7', Make: '' })));
  const other = live(unknown.origin);
  assert.equal(await other.decoder.decode(vin), null);
  assert.equal(await other.decoder.decode(vin), null);
  assert.equal(unknown.requests.length, 1);
  assert.deepEqual(other.warnings, []);
});

const troubles: [string, RequestListener, RegExp][] = [
  ['an error page', (_, response) => response.writeHead(500).end('sorry'), /status 500/],
  ['invalid JSON', (_, response) => response.end('{"Results": [{'), /invalid JSON/],
  ['JSON of another kind', (_, response) => response.end('[1]'), /not a vPIC response/],
  ['another VIN', (_, response) => response.end(answer({ VIN: '11111111111111111' })), /another VIN/],
  ['silence', () => {}, /timeout/],
];
for (const [name, listener, why] of troubles) {
  test(`${name}: logged, and the lookup continues without it`, async () => {
    const { origin } = await nhtsa(listener);
    const timeoutMs = String(why).includes('timeout') ? 50 : 600_000;
    const { decoder, warnings, values } = live(origin, { timeoutMs });
    assert.equal(await decoder.decode(vin), null);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', why);
    assert.ok(!warnings[0]?.includes(vin));
    assert.equal(values.size, 0);
  });
}

test('three failures pause requests for a minute, even if the time of day is set back', async () => {
  const { origin, requests } = await nhtsa((_, response) => response.writeHead(503).end());
  let [now, clock] = [86_400_000, 0];
  const hosts = openHosts({ ...LIVE_HOSTS, everyMs: 0, now: () => clock });
  const { decoder } = live(origin, { now: () => now, hosts });
  for (let n = 0; n < 5; n++) await decoder.decode(vin);
  assert.equal(requests.length, 3);
  [now, clock] = [0, 60_001];
  await decoder.decode(vin);
  assert.equal(requests.length, 4);
});

const unavailable = () => Promise.reject(new Error('unavailable'));

test('an unavailable store does not prevent a result', async () => {
  const { origin } = await nhtsa((_, response) => response.end(answer()));
  const { decoder } = live(origin, { store: { value: unavailable, setValue: unavailable } });
  assert.equal((await decoder.decode(vin))?.vehicle?.make, 'FORD');
});

test('warnings of NHTSA are given in our own words', async () => {
  const { origin } = await nhtsa((_, response) =>
    response.end(answer({ ErrorCode: '1,10', SuggestedVIN: '<script>' })),
  );
  const decoded = await live(origin).decoder.decode(vin);
  assert.match(decoded?.warning ?? '', /off-road/);
  assert.equal(decoded?.suggested, null);
});

test('the VIN that NHTSA suggests is offered if its check digit is right', async () => {
  const suggesting = async (character: string) => {
    const suggested = vin.replace('D', character);
    const more = { ErrorCode: '2,14', SuggestedVIN: suggested, PossibleValues: `(5:${character})` };
    const { origin } = await nhtsa((_, response) => response.end(answer(more)));
    return (await live(origin).decoder.decode(vin))?.warning ?? '';
  };
  assert.match(await suggesting('U'), /position 5\. Did you mean 1M8GUM9AXKP042788, with U at position 5\?/);
  assert.match(await suggesting('E'), /doesn't use D at position 5; it could be E\.$/);
});
