import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MAX_PAGES_PER_MINUTE } from '../src/http/limit.ts';
import { MAX_FETCHES_PER_MINUTE } from '../src/lookup/find.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { call } from './mcp-client.ts';
import { startService, type Service } from './service.ts';
import { newVin } from './operator.ts';
import { startSimulated } from './simulated.ts';

const { service, simulator } = await startSimulated();

const HELD = '1FMUK8DH0TG000000';

interface Lookup {
  windowSticker: { available: boolean | null; reason?: string; retryAfter?: number };
}

/** A VIN without a label: counted the same, and cheaper. */
function newVinWithoutLabel(sourceId: string, source = simulator): string {
  const vin = newVin(sourceId);
  source.set(vin, 'none');
  return vin;
}

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip, accept: 'text/html' } });

test('fetched labels count toward one limit per IP address across all interfaces; stored labels never count', async () => {
  const ip = '203.0.113.1';
  const firstVin = newVin('stellantis');
  await service.get(`/window-sticker/${firstVin}`, from(ip));
  for (let n = 1; n < MAX_FETCHES_PER_MINUTE / 2; n++) {
    assert.equal(
      (await service.get(`/window-sticker/${newVinWithoutLabel('stellantis')}/ready`, from(ip))).status,
      204,
    );
  }
  for (let n = MAX_FETCHES_PER_MINUTE / 2; n < MAX_FETCHES_PER_MINUTE; n++) {
    const result = await call(
      service,
      'get_window_sticker',
      { vin: newVinWithoutLabel('stellantis') },
      '2025-11-25',
      from(ip),
    );
    assert.notEqual(result.isError, true);
  }
  const car = newVin('stellantis');
  const lookup = await service.get(`/api/v1/vin/${car}`, from(ip));
  assert.equal(lookup.status, 200);
  const { windowSticker } = (await lookup.json()) as Lookup;
  assert.equal(windowSticker.available, null);
  assert.equal(windowSticker.reason, 'ask-limit');
  assert.ok(windowSticker.retryAfter! >= 1 && windowSticker.retryAfter! <= 60);
  assert.equal(lookup.headers.get('retry-after'), String(windowSticker.retryAfter));
  assert.equal(lookup.headers.get('cache-control'), 'no-store');
  const pdf = await service.get(`/api/sticker/${car}`, from(ip));
  assert.equal(pdf.status, 429);
  assert.equal(((await pdf.json()) as { reason: string }).reason, 'ask-limit');
  const page = await service.get(`/window-sticker/${car}`, from(ip));
  assert.match(await page.text(), /requested too many new stickers/);
  const tool = await call(service, 'get_window_sticker', { vin: car }, '2025-11-25', from(ip));
  assert.equal(tool.isError, true);
  assert.equal(simulator.requests.filter(({ vin }) => vin === car).length, 0, 'no request to a source');

  assert.equal((await service.get(`/api/sticker/${firstVin}`, from(ip))).status, 200);
  assert.equal((await service.get(`/api/sticker/${HELD}`, from(ip))).status, 200);
  const other = await service.json<Lookup>(`/api/v1/vin/${car}`);
  assert.equal(other.windowSticker.available, true, 'another IP address has its own limit');
});

test('sixty badges, cards or pictures of new cars at once are refused to none of six visitors', async () => {
  const vins = Array.from({ length: 60 }, () => newVinWithoutLabel('gm'));
  const shown = (vin: string, index: number) =>
    [`/badge/${vin}.svg`, `/embed/${vin}`, `/window-sticker/${vin}/picture?width=320`][index % 3]!;
  for (const visitor of [1, 2, 3, 4, 5, 6]) {
    const headers = {
      'x-forwarded-for': `198.51.100.${visitor}`,
      accept: 'image/webp,*/*',
      referer: 'https://cars.example/stock',
    };
    const responses = await Promise.all(
      vins.map((vin, index) => service.get(shown(vin, index), { headers })),
    );
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    await Promise.all(responses.map((response) => response.text()));
  }
});

const otherServices: Service[] = [];
after(() => Promise.all(otherServices.map((other) => other.close())));

async function startWithLimit(limit: string, env: Record<string, string> = {}): Promise<Service> {
  const started = await startService({ SOURCE_ORIGIN: simulator.origin, LIMIT: limit, ...env });
  otherServices.push(started);
  return started;
}

test('LIMIT changes the rate limit', async () => {
  const strict = await startWithLimit('3/60s');
  const lookUp = () => strict.get(`/api/v1/vin/${HELD}`, from('203.0.113.4'));
  const first = await lookUp();
  assert.equal(first.headers.get('ratelimit-policy'), '"default";q=3;w=60');
  assert.equal(first.headers.get('ratelimit'), '"default";r=2;t=60');
  assert.deepEqual(
    [(await lookUp()).status, (await lookUp()).status, (await lookUp()).status],
    [200, 200, 429],
  );
});

test('LIMIT=off turns all limits off', async () => {
  const unlimited = await startWithLimit('off');
  const ip = from('203.0.113.5');
  for (let n = 0; n < MAX_PAGES_PER_MINUTE + 1; n++) {
    const { status, body } = await unlimited.get('/find', { ...ip, redirect: 'manual' });
    await body?.cancel();
    assert.equal(status, 303);
  }
  for (let n = 0; n < MAX_FETCHES_PER_MINUTE + 1; n++) {
    const vin = newVinWithoutLabel('stellantis');
    const { windowSticker } = await unlimited.json<Lookup>(`/api/v1/vin/${vin}`, ip);
    assert.equal(windowSticker.available, false);
  }
  assert.equal((await unlimited.get(`/api/v1/vin/${HELD}`, ip)).headers.get('ratelimit'), null);
});

test('an IP address that floods a source with made-up VINs does not block other clients', async () => {
  const source = await startSimulator();
  const busy = await startService({ SOURCE_ORIGIN: source.origin, SOURCE_PACE_MS: '20' });
  try {
    const madeUpVins = new Set<string>();
    const attacks = Array.from({ length: 60 }, async () => {
      const vin = newVin('gm');
      madeUpVins.add(vin);
      source.set(vin, 'server-error');
      const { body } = await busy.get(`/window-sticker/${vin}`, from('203.0.113.6'));
      await body?.cancel();
    });
    const visits = Array.from({ length: 5 }, () =>
      busy.json<Lookup>(`/api/v1/vin/${newVinWithoutLabel('gm', source)}`),
    );
    for (const { windowSticker } of await Promise.all(visits)) assert.equal(windowSticker.available, false);
    await Promise.all(attacks);
    const requested = new Set(
      source.requests.map(({ vin }) => vin).filter((vin) => vin && madeUpVins.has(vin)),
    );
    assert.ok(
      requested.size <= MAX_FETCHES_PER_MINUTE,
      `the source got requests for ${requested.size} made-up VINs`,
    );
  } finally {
    await busy.close();
    await source.close();
  }
});

test('five IP addresses whose VINs a source refuses, or four whose VINs it fails for, block nobody else', async () => {
  for (const [behavior, attackers, each] of [
    ['access-denied', ['20', '21', '22', '23', '24'], 3],
    ['server-error', ['25', '26', '27', '28'], 6],
  ] as const) {
    const known = newVin('subaru');
    assert.equal((await service.get(`/api/sticker/${known}`)).status, 200);
    for (let n = 0; n < attackers.length * each; n++) {
      const vin = newVin('subaru');
      simulator.set(vin, behavior);
      const ip = `203.0.113.${attackers[n % attackers.length]}`;
      const { windowSticker } = await service.json<Lookup>(`/api/v1/vin/${vin}`, from(ip));
      assert.equal(windowSticker.available, null);
    }
    for (let n = 0; n < 10; n++)
      assert.equal((await service.get(`/api/sticker/${newVin('subaru')}`)).status, 200);
  }
});
