import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sources } from '../../src/makers/index.ts';
import { vinOf } from '../../tools/bench/filled-store.ts';
import { get, serve } from '../../tools/drill/drill.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';

const program = fileURLToPath(new URL('../../bin/monroney.mjs', import.meta.url));

void test('a lost machine is restored from its backup', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'monroney-restore-'));
  const dataDir = join(root, 'data');
  const simulator = await startSimulator();
  t.after(async () => {
    await simulator.close();
    rmSync(root, { recursive: true, force: true });
  });
  async function admin(...args: string[]): Promise<void> {
    const child = spawn(process.execPath, [program, 'admin', ...args], {
      env: { ...process.env, DATA_DIR: dataDir },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 0, output);
  }
  const env = { DATA_DIR: dataDir, SOURCE_ORIGIN: simulator.origin, LOG_LEVEL: 'error' };
  const vins = Array.from({ length: 18 }, (_, n) => vinOf(200_000 + n, sources[n % sources.length]!.example));
  const labels = async (port: number) => {
    const hashes: string[] = [];
    for (const vin of vins) {
      const { status, body } = await get(port, `/api/sticker/${vin}`);
      assert.equal(status, 200, body.toString().slice(0, 300));
      hashes.push(hash('sha256', body, 'hex'));
    }
    return hashes;
  };

  const service = await serve(env);
  t.after(() => service.kill('SIGKILL'));
  const before = await labels(service.port);
  await admin('backup', join(root, 'backup'));
  await service.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
  await admin('restore', join(root, 'backup'));
  const requestsBefore = simulator.requests.length;
  const restored = await serve(env);
  t.after(() => restored.kill('SIGKILL'));
  assert.deepEqual(await labels(restored.port), before);
  assert.equal(simulator.requests.length, requestsBefore, 'no source was contacted again');
});
