import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../../tools/drill/drill.ts';
import { freePort } from '../../tools/free-port.ts';
import { eventually } from '../operator.ts';

/** HAProxy with our configuration in front of real instances; only names and ports are changed. */

const HAPROXY = '/usr/sbin/haproxy';
const skip = existsSync(HAPROXY) ? false : 'skipped: install it first (apt-get install haproxy)';

void test('clients of the load balancer do not notice that instances are killed', { skip }, async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'monroney-balancer-'));
  const names = ['one', 'two', 'three'];
  const running: { kill(signal: NodeJS.Signals): unknown }[] = [];
  t.after(async () => {
    for (const process of running) await process.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });
  const ports = new Map<string, number>();
  for (const name of names) {
    const instance = await serve({ DATA_DIR: join(root, name), LOG_LEVEL: 'error', LIMIT: 'off' });
    running.push(instance);
    ports.set(name, instance.port);
  }
  const port = await freePort();
  const file = join(root, 'haproxy.cfg');
  const ours = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8');
  const config = ours
    .replace('bind *:8080', `bind 127.0.0.1:${port}`)
    .replace(/server (\w+) \w+:8080/g, (_, name: string) => `server ${name} 127.0.0.1:${ports.get(name)}`);
  writeFileSync(file, config);
  running.push(spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' }));
  const origin = `http://127.0.0.1:${port}`;
  const request = () =>
    fetch(`${origin}/`).then(async (response) => [response.status, await response.text()] as const);
  await eventually(
    () => request().catch(() => [0]),
    ([status]) => status === 200,
  );

  const stopping = new AbortController();
  const results: (number | string)[] = [];
  const clients = Array.from({ length: 6 }, async () => {
    while (!stopping.signal.aborted) {
      results.push(
        await request().then(([status, text]) => (text.includes('</html>') ? status : 'incomplete'), String),
      );
    }
  });
  const moreResponses = async () => {
    const before = results.length;
    await eventually(
      async () => results.length,
      (count) => count > before + 60,
    );
  };
  await moreResponses();
  for (const instance of running.slice(0, 2)) {
    await instance.kill('SIGKILL');
    await moreResponses();
  }
  stopping.abort();
  await Promise.all(clients);
  const failures = results.filter((result) => result !== 200);
  assert.deepEqual(failures, []);
});
