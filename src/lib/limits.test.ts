import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blocksOf,
  createHeldBytes,
  createLimiter,
  createSharedLimiter,
  siteOf,
  visitorOf,
  type Budget,
} from './limits.ts';
import { testLimiter } from './limits-contract-tests.ts';

function open(budget: Budget, maxKeys?: number) {
  let now = 5000;
  const limiter = createLimiter(budget, () => now, maxKeys);
  return { ...limiter, setTime: (ms: number) => (now = 5000 + ms) };
}

testLimiter('in memory', (budget) => {
  const { take, setTime } = open(budget);
  return { take: async (client = '192.0.2.1') => take(client), setTime };
});

test('the visitor of a site is in that site, and the site is in its domain', () => {
  const blocks = (host: string) => blocksOf(visitorOf(host, '7f3a')).join(', ');
  assert.equal(blocks('www.cars.example'), '7f3a, site:www.cars.example, site:*.cars.example');
  assert.equal(blocks('cars.example'), '7f3a, site:cars.example, site:*.cars.example');
  assert.equal(blocks('a.b.xn--p1ai'), '7f3a, site:a.b.xn--p1ai, site:*.b.xn--p1ai');
  for (const host of ['', 'localhost', '192.0.2.7', '[2001:db8::1]'])
    assert.equal(blocks(host), `7f3a, site:${host}`);
  assert.equal(siteOf(visitorOf('www.cars.example', '7f3a')), 'site:www.cars.example');
  assert.deepEqual(blocksOf('site:www.cars.example'), ['site:www.cars.example', 'site:*.cars.example']);
  assert.equal(siteOf('2001:db8:0:1203'), null);
});

test('the hosts of a domain may use four times as much as one of them', () => {
  const { take } = open({ requests: 3, windowMs: 60_000 });
  const passed = (site: string) =>
    Array.from({ length: 20 }, () => take(site)).filter(({ allowed }) => allowed);
  const hosts = ['site:cars.example', ...Array.from({ length: 6 }, (_, n) => `site:${n}.cars.example`)];
  assert.deepEqual(
    hosts.map((site) => passed(site).length),
    [3, 3, 3, 3, 0, 0, 0],
  );
});

const API: Budget = { requests: 10, windowMs: 10_000, blocks: true };

test('five at once, and one more when one of them ends', () => {
  const { take, end } = open({ requests: 100, windowMs: 60_000, concurrent: 5 });
  for (let n = 0; n < 5; n++) assert.equal(take('here').allowed, true);
  const { allowed, waitMs } = take('here');
  assert.deepEqual([allowed, waitMs], [false, 2000]);
  assert.equal(take('there').allowed, true);
  end('here');
  assert.equal(take('here').allowed, true);
  assert.equal(take('here').allowed, false);
});

test('a /56 may have four times as many at once as a /64', () => {
  const { take } = open({ concurrent: 2 });
  const passed = Array.from({ length: 10 }, (_, n) => take(`2001:db8:0:120${n}`).allowed);
  assert.deepEqual(passed, [...Array<boolean>(8).fill(true), false, false]);
});

test('a request that cost nothing after all is not counted', () => {
  const { take, end } = open({ requests: 3, windowMs: 60_000 });
  for (let n = 0; n < 100; n++) {
    assert.equal(take('2001:db8:0:1200').allowed, true);
    end('2001:db8:0:1200', false);
  }
  for (let n = 0; n < 3; n++) assert.equal(take('2001:db8:0:1200').allowed, true);
  assert.equal(take('2001:db8:0:1200').allowed, false);
});

test('any number of addresses stays within the maximum; new ones pass and the newest are remembered', () => {
  const { take, size } = open(API, 1000);
  for (let n = 0; n < 20_000; n++) assert.ok(take(`a${n}`).allowed);
  assert.ok(size() <= 1000 && size() > 500, `${size()} addresses`);
  assert.equal(take('a19999').remaining, 8);
  assert.equal(take('a5').remaining, 9);
});

test('an active client is not dropped for new ones, and neither is one with a running request', () => {
  const limiter = open({ ...API, concurrent: 100 }, 30);
  limiter.take('running');
  for (let n = 0; n < 11; n++) {
    limiter.take('busy');
    limiter.end('busy');
  }
  for (let n = 0; n < 100; n++) {
    limiter.take(`stranger ${n}`);
    limiter.end(`stranger ${n}`);
    assert.equal(limiter.take('busy').allowed, false);
  }
  assert.equal(limiter.take('running').remaining, 8);
});

test('a client is remembered for one window after its last request, and for one and a half at most', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { setTime, take, size } = open(API);
  let last = 0;
  const passTo = (ms: number) => {
    setTime(ms);
    t.mock.timers.tick(ms - last);
    last = ms;
  };
  take('early');
  for (let n = 0; n < 11; n++) take('blocked');
  passTo(6000);
  take('late');
  passTo(10_002);
  assert.equal(size(), 3);
  passTo(15_003);
  assert.equal(size(), 1);
  assert.equal(take('late').remaining, 8);
  passTo(100_000);
  assert.equal(size(), 0);
});

test('a refused request of a new /64 takes no memory', () => {
  const { take, size } = open({ requests: 1, windowMs: 10_000 });
  for (let n = 0; n < 1000; n++) take(`2001:db8:0:${n.toString(16)}`);
  assert.ok(size() <= 1 + 16 * 2, `${size()} keys`);
});

test('without Redis an instance counts alone, and says so', async () => {
  let alone = 0;
  const redis = { run: () => Promise.reject(new Error('Redis is unavailable')) };
  const local = createLimiter(API, () => 0);
  const limiter = createSharedLimiter(redis, 'limit', API, { secret: 's', local, alone: () => alone++ });
  const decisions = [];
  for (let n = 0; n < 11; n++) decisions.push((await limiter.take('192.0.2.9')).allowed);
  assert.deepEqual(decisions, [...Array<boolean>(10).fill(true), false]);
  assert.equal(alone, 11);
});

/** Adds downloads of 10 bytes, each with its speed, and returns those that were given up for a maximum of 30 bytes. */
function givenUp(downloads: readonly { owner: string; speed: number }[]): number[] {
  const lost: number[] = [];
  const held = createHeldBytes<number>(
    30,
    (key) => lost.push(key),
    (key) => downloads[key]!.speed,
  );
  downloads.forEach(({ owner }, key) => held.add(key, 10, owner));
  return lost;
}

const download = (owner: string, speed: number) => ({ owner, speed });

test('the owner with most bytes gives up its slowest, however slow the others are', () => {
  const owners = [download('small', 1), download('large', 9), download('large', 8), download('large', 9)];
  assert.deepEqual(givenUp(owners), [2]);
});

test('of owners with equally many bytes, the slowest gives up first', () => {
  const owners = [download('a', 5), download('b', 7), download('c', 3), download('d', 9)];
  assert.deepEqual(givenUp(owners), [2]);
});

test('of equally slow ones, the one that has been there longest is given up first', () => {
  const owners = ['a', 'b', 'c', 'd', 'e'].map((owner) => download(owner, 4));
  assert.deepEqual(givenUp(owners), [0, 1]);
});
