import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createFetchLimit,
  MAX_FETCHES_PER_MINUTE,
  MAX_CONCURRENT_FETCHES,
  type Fetching,
} from './fetch-limit.ts';

const isFetching = (started: Fetching | { inSeconds: number }): started is Fetching => 'end' in started;

function fetchOnce(limit: ReturnType<typeof createFetchLimit>, client: string, counted = true) {
  const started = limit.start(client);
  if (isFetching(started)) started.end(counted);
  return isFetching(started) || started;
}

test('a client gets twenty fetches a minute; the next one has to wait until the first is a minute old', () => {
  let now = 0;
  const limit = createFetchLimit(() => now);
  for (let n = 0; n < MAX_FETCHES_PER_MINUTE; n++) {
    now = n * 1000;
    assert.equal(fetchOnce(limit, 'here'), true);
  }
  assert.deepEqual(fetchOnce(limit, 'here'), { inSeconds: 41 });
  assert.equal(fetchOnce(limit, 'there'), true, 'another client has a share of its own');
  now = 60_000;
  assert.equal(fetchOnce(limit, 'here'), true);
  assert.deepEqual(fetchOnce(limit, 'here'), { inSeconds: 1 });
});

test('five at once, and one more when one of them ends', () => {
  const limit = createFetchLimit(() => 0);
  const running = Array.from({ length: MAX_CONCURRENT_FETCHES }, () => limit.start('here'));
  assert.ok(running.every(isFetching));
  assert.deepEqual(limit.start('here'), { inSeconds: 2 });
  (running[0] as Fetching).end(true);
  assert.ok(isFetching(limit.start('here')));
});

test('a fetch that sent no request does not count', () => {
  const limit = createFetchLimit(() => 0);
  for (let n = 0; n < 100; n++) assert.equal(fetchOnce(limit, 'here', false), true);
  for (let n = 0; n < MAX_FETCHES_PER_MINUTE; n++) assert.equal(fetchOnce(limit, 'here'), true);
  assert.notEqual(fetchOnce(limit, 'here'), true);
});

test('the client that was idle longest is dropped, not the busy one', () => {
  const limit = createFetchLimit(() => 0, { perMinute: 1 });
  fetchOnce(limit, 'quiet');
  fetchOnce(limit, 'busy');
  for (let n = 0; n < 9_999; n++) {
    fetchOnce(limit, `client ${n}`);
    fetchOnce(limit, 'busy');
  }
  assert.notEqual(fetchOnce(limit, 'busy'), true);
  assert.equal(fetchOnce(limit, 'quiet'), true);
});

test('a client is dropped a minute after its last fetch', () => {
  let now = 0;
  const limit = createFetchLimit(() => now);
  fetchOnce(limit, 'early');
  now = 30_000;
  fetchOnce(limit, 'late');
  now = 60_000;
  limit.forget();
  assert.equal(limit.size(), 1);
  now = 90_000;
  limit.forget();
  assert.equal(limit.size(), 0);
});
