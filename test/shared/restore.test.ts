import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sources } from '../../src/makers/index.ts';
import { vinOf } from '../../tools/bench/filled-store.ts';
import { get, serve } from '../../tools/drill/drill.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';

/** Runs the commands in docs/operations.md. */

const project = fileURLToPath(new URL('../..', import.meta.url));
const [backup, restore] = readFileSync(join(project, 'docs/operations.md'), 'utf8')
  .split('### Backup and restore')[1]!
  .matchAll(/```sh\n(.*?)```/gs)
  .map(([, lines]) => lines!);

void test('a lost machine is restored from its backup', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'monroney-restore-'));
  const dataDir = join(root, 'data');
  const simulator = await startSimulator();
  t.after(async () => {
    await simulator.close();
    rmSync(root, { recursive: true, force: true });
  });
  /** Runs in the backup's folder, with npm pointed at the project. */
  async function shell(lines: string): Promise<void> {
    const child = spawn(
      'sh',
      ['-ec', `cd "${root}"\n${lines.replaceAll('npm run', `npm --prefix "${project}" run`)}`],
      {
        env: { ...process.env, DATA_DIR: dataDir },
      },
    );
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
  await shell(backup!);
  await service.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
  await shell(restore!);
  const requestsBefore = simulator.requests.length;
  const restored = await serve(env);
  t.after(() => restored.kill('SIGKILL'));
  assert.deepEqual(await labels(restored.port), before);
  assert.equal(simulator.requests.length, requestsBefore, 'no source was contacted again');
});
