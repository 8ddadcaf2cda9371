import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../lib/log.ts';
import { StoreUnavailable } from '../errors.ts';
import { failFast } from './fail-fast.ts';

test('logs once when a server stops responding and once when it is back', async () => {
  const lines: string[] = [];
  const log = createLog('info', (text) => lines.push(...text.trimEnd().split('\n')));
  const guard = failFast('PostgreSQL', { failures: 3, openMs: 0, log });
  const fail = () => guard.run(() => Promise.reject(new StoreUnavailable('connection refused')));
  const messages = () => {
    log.flush();
    return lines.map((line) => (JSON.parse(line) as { message: string }).message);
  };
  for (let n = 0; n < 2; n++) await assert.rejects(fail);
  assert.equal(guard.up, true, 'a short failure is no outage');
  for (let n = 0; n < 10; n++) await assert.rejects(fail);
  assert.equal(guard.up, false);
  assert.deepEqual(messages(), ['PostgreSQL: not responding']);
  await guard.run(async () => {});
  await guard.run(async () => {});
  assert.equal(guard.up, true);
  assert.deepEqual(messages(), ['PostgreSQL: not responding', 'PostgreSQL: back']);
});
