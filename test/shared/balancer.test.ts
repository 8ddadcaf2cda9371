import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { serve } from '../../tools/drill/drill.ts';
import { freePort } from './servers.ts';

/** The real load balancer with our configuration before real instances; only names and ports are others. */

const HAPROXY = '/usr/sbin/haproxy';
const skip = existsSync(HAPROXY) ? false : 'skipped: install it first (apt-get install haproxy)';

void test(
  'whoever asks through the balancer does not notice that instances are killed',
  { skip },
  async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'monroney-balancer-'));
    const names = ['one', 'two', 'three'];
    const running: { kill(signal: NodeJS.Signals): unknown }[] = [];
    t.after(async () => {
      for (const each of running) await each.kill('SIGKILL');
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
    const here = ours
      .replace('bind *:8080', `bind 127.0.0.1:${port}`)
      .replace(/server (\w+) \w+:8080/g, (_, name: string) => `server ${name} 127.0.0.1:${ports.get(name)}`);
    writeFileSync(file, here);
    running.push(spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' }));
    const origin = `http://127.0.0.1:${port}`;
    const ask = () =>
      fetch(`${origin}/`).then(async (answer) => [answer.status, await answer.text()] as const);
    for (
      let tries = 0;
      tries < 100 &&
      !(await ask().then(
        ([status]) => status === 200,
        () => false,
      ));
      tries++
    )
      await wait(100);

    const enough = new AbortController();
    const heard: (number | string)[] = [];
    const askers = Array.from({ length: 6 }, async () => {
      while (!enough.signal.aborted) {
        heard.push(
          await ask().then(([status, text]) => (text.includes('</html>') ? status : 'half'), String),
        );
      }
    });
    for (const instance of running.slice(0, 2)) {
      await wait(1500);
      await instance.kill('SIGKILL');
    }
    await wait(3000);
    enough.abort();
    await Promise.all(askers);
    const wrong = heard.filter((each) => each !== 200);
    assert.ok(heard.length > 100, `${heard.length} answers`);
    assert.deepEqual(wrong, []);
  },
);
