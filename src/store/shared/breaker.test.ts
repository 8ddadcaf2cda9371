import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../lib/log.ts';
import { StoreUnavailable } from '../errors.ts';
import { breaker } from './breaker.ts';

test('one line when a server stops answering, one when it is back', async () => {
  const lines: string[] = [];
  const log = createLog('info', (text) => lines.push(...text.trimEnd().split('\n')));
  const guard = breaker('PostgreSQL', { failures: 3, restMs: 0, log });
  const fail = () => guard.run(() => Promise.reject(new StoreUnavailable('connection refused')));
  const messages = () => {
    log.flush();
    return lines.map((line) => (JSON.parse(line) as { message: string }).message);
  };
  for (let time = 0; time < 2; time++) await assert.rejects(fail);
  assert.equal(guard.up, true, 'one bad moment is no outage');
  for (let time = 0; time < 10; time++) await assert.rejects(fail);
  assert.equal(guard.up, false);
  assert.deepEqual(messages(), ['PostgreSQL: does not answer']);
  await guard.run(async () => {});
  await guard.run(async () => {});
  assert.equal(guard.up, true);
  assert.deepEqual(messages(), ['PostgreSQL: does not answer', 'PostgreSQL: back']);
});
