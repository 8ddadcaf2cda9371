import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { createLog } from '../../lib/log.ts';
import { listen } from '../../lib/testing.ts';
import { startMigration } from './postgres.ts';

test('a database that is down at startup is reported once, however often it is retried', async (t) => {
  const lines: string[] = [];
  const log = createLog('info', (text) => lines.push(text));
  const server = createServer((socket) => socket.destroy());
  const port = await listen(t, server);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const migration = await startMigration(`postgres://u@127.0.0.1:${port}/db`, log);
  t.after(() => migration.stop());
  const connections: unknown[] = [];
  server.on('connection', (socket) => connections.push(socket));
  while (connections.length < 3) {
    t.mock.timers.tick(2000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  log.flush();
  assert.equal(lines.join('').match(/cannot reach the database/g)?.length, 1, lines.join(''));
});
