import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/property.ts';
import type { Budget, Decision } from './limits.ts';

/** What a limiter must do, in memory and in Redis. */

interface Clocked {
  take(client?: string): Promise<Decision>;
  setTime(ms: number): void;
}

type Open = (budget: Budget) => Clocked;

const API: Budget = { requests: 10, windowMs: 10_000, blocks: true };

async function takeMany(limiter: Clocked, count: number, client?: string): Promise<Decision> {
  for (let n = 1; n < count; n++) await limiter.take(client);
  return limiter.take(client);
}

export function testLimiter(name: string, open: Open, { runs = 100 } = {}): void {
  const check = (title: string, run: () => Promise<void>) => void test(`${name}: ${title}`, run);

  check('ten requests pass and the eleventh within ten seconds does not', async () => {
    const limiter = open(API);
    for (let n = 0; n < 10; n++) {
      limiter.setTime(n * 900);
      const { allowed, remaining } = await limiter.take();
      assert.deepEqual([allowed, remaining], [true, 9 - n]);
    }
    limiter.setTime(9999);
    assert.equal((await limiter.take()).allowed, false);
  });

  check('exactly ten seconds after the first of ten, one more passes', async () => {
    const limiter = open(API);
    await takeMany(limiter, 10);
    limiter.setTime(10_000);
    assert.equal((await limiter.take()).allowed, true);
  });

  check(
    "a block lasts ten seconds from the eleventh request, and further requests don't extend it",
    async () => {
      const limiter = open(API);
      await takeMany(limiter, 10);
      for (let ms = 3000; ms < 13_000; ms += 500) {
        limiter.setTime(ms);
        assert.deepEqual(await limiter.take(), { allowed: false, remaining: 0, waitMs: 13_000 - ms });
      }
      limiter.setTime(13_000);
      assert.equal((await limiter.take()).remaining, 9, 'after it the count starts from zero');
    },
  );

  check('without blocks, one more passes whenever the oldest is a window old', async () => {
    const limiter = open({ requests: 3, windowMs: 60_000 });
    for (const ms of [0, 1000, 2000]) {
      limiter.setTime(ms);
      await limiter.take();
    }
    assert.deepEqual(await limiter.take(), { allowed: false, remaining: 0, waitMs: 58_000 });
    limiter.setTime(60_000);
    assert.equal((await limiter.take()).allowed, true);
    assert.deepEqual(await limiter.take(), { allowed: false, remaining: 0, waitMs: 1000 });
  });

  check('it says how many are left and when there will be more', async () => {
    const limiter = open(API);
    assert.deepEqual(await limiter.take(), { allowed: true, remaining: 9, waitMs: 10_000 });
    limiter.setTime(2500);
    assert.deepEqual(await limiter.take(), { allowed: true, remaining: 8, waitMs: 7500 });
  });

  check('each IPv4 address is counted separately', async () => {
    const limiter = open(API);
    assert.equal((await takeMany(limiter, 11, '192.0.2.1')).allowed, false);
    assert.equal((await limiter.take('192.0.2.2')).remaining, 9);
  });

  check('a /64 that is refused takes nothing from the other /64s of its /56', async () => {
    const limiter = open(API);
    assert.equal((await takeMany(limiter, 500, '2001:db8:0:1200')).allowed, false);
    for (const other of ['2001:db8:0:1201', '2001:db8:0:12ff'])
      assert.equal((await takeMany(limiter, 10, other)).allowed, true, other);
  });

  check('a /56 has four times the requests of a /64, and then none of its /64s has any', async () => {
    const limiter = open(API);
    for (let n = 0; n < 4; n++)
      assert.equal((await takeMany(limiter, 10, `2001:db8:0:120${n}`)).remaining, 0, `/64 number ${n}`);
    assert.deepEqual(await limiter.take('2001:db8:0:12aa'), {
      allowed: false,
      remaining: 0,
      waitMs: 10_000,
    });
    assert.equal((await limiter.take('2001:db8:0:1300')).allowed, true, 'another /56');
    limiter.setTime(10_000);
    assert.equal((await limiter.take('2001:db8:0:12aa')).remaining, 9);
  });

  check('a /48 has sixteen times the requests of a /64', async () => {
    const limiter = open(API);
    let passed = 0;
    for (let n = 0; n < 200; n++) {
      const client = `2001:db8:0:${(n << 8).toString(16)}`;
      if ((await limiter.take(client)).allowed) passed++;
    }
    assert.equal(passed, 160);
    assert.equal((await limiter.take('2001:db8:1:0')).allowed, true, 'another /48');
  });

  check('what is left is what the /56 has left, if that is less', async () => {
    const limiter = open(API);
    for (let n = 0; n < 38; n++) await limiter.take(`2001:db8:0:12${(16 + n).toString(16)}`);
    assert.equal((await limiter.take('2001:db8:0:1201')).remaining, 1);
  });

  check('it agrees with a simple list of times, for any times', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 4000 }), { maxLength: 120 }), async (gaps) => {
        const limiter = open(API);
        let [now, until, times] = [0, 0, [] as number[]];
        for (const gap of gaps) {
          now += gap;
          limiter.setTime(now);
          let expected = true;
          if (now < until) expected = false;
          else {
            if (until) [times, until] = [[], 0];
            times = times.filter((time) => now - time < 10_000);
            if (times.length === 10) [expected, until] = [false, now + 10_000];
            else times.push(now);
          }
          assert.equal((await limiter.take()).allowed, expected);
        }
      }),
      { numRuns: runs },
    );
  });
}
