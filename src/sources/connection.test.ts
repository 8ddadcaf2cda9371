import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchConnection } from './connection.ts';

function watched(alive: Set<string>) {
  const tried: string[] = [];
  const changes: boolean[] = [];
  let clock = 0;
  const connection = watchConnection({
    hosts: ['www.kia.com', 'api.kia.com', 'www.ford.com', 'www.jeep.com', 'cws.gm.com'],
    async connects(host) {
      tried.push(host);
      return alive.has(host);
    },
    changed: (up) => changes.push(up),
    now: () => clock,
  });
  return { connection, tried, changes, pass: (ms: number) => (clock += ms) };
}

test('if another host is reachable, the outage is the host’s', async () => {
  const { connection, tried, changes } = watched(new Set(['www.jeep.com']));
  assert.equal(await connection.isOurOutage('www.kia.com', 0), false);
  assert.ok(
    tried.every((host) => !host.endsWith('kia.com')),
    'its own site proves nothing',
  );
  assert.equal(connection.down, false);
  assert.deepEqual(changes, []);
});

test('if no other host is reachable, the outage is ours until one is', async () => {
  const alive = new Set<string>();
  const { connection, tried, changes, pass } = watched(alive);
  assert.equal(await connection.isOurOutage('www.kia.com', 0), true);
  assert.equal(connection.down, true);
  const before = tried.length;
  assert.equal(await connection.isOurOutage('www.ford.com', 0), true);
  assert.equal(tried.length, before, 'others are not tried again for every request');
  pass(6000);
  assert.equal(connection.down, false, 'after a while somebody tries again');
  assert.equal(await connection.isOurOutage('www.kia.com', 6000), true);
  connection.reached('www.ford.com');
  assert.equal(connection.down, false);
  assert.deepEqual(changes, [false, true], 'reported once when it goes down and once when it is back');
});

test('the end of an outage is noticed without requests', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const alive = new Set<string>();
  const { connection, tried, changes } = watched(alive);
  const passed = async (ms: number) => {
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  assert.equal(await connection.isOurOutage('www.kia.com', 0), true);
  const before = tried.length;
  await passed(30_000);
  assert.deepEqual(changes, [false]);
  assert.equal(tried.length, before + 3, 'three hosts are probed');
  for (const host of ['www.kia.com', 'api.kia.com', 'www.ford.com', 'www.jeep.com', 'cws.gm.com'])
    alive.add(host);
  await passed(30_000);
  assert.deepEqual(changes, [false, true]);
  assert.equal(connection.down, false);
  const atEnd = tried.length;
  await passed(60_000);
  assert.equal(tried.length, atEnd, 'none is probed while the connection works');
});

test('no probe is needed when another host was reached meanwhile', async () => {
  const { connection, tried, pass } = watched(new Set());
  const started = 0;
  pass(100);
  connection.reached('www.ford.com');
  assert.equal(await connection.isOurOutage('www.kia.com', started), false);
  assert.deepEqual(tried, []);
  assert.equal(await connection.isOurOutage('www.ford.com', 101), true, 'one that was reached before is not');
});
