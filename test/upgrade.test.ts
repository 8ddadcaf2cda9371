// lane: drill
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { get, serve } from '../tools/drill/drill.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { newVin } from './operator.ts';

/** An update of a service with data, and the way back, as an operator does them: stop, other files, start. */

/** The last commit of 1.0.0 on the day that CHANGELOG.md names. After a release, the commit of that version. */
const OLDER = 'bcef1b25219ee58ee273c44c14f497a727bc9f48';
const project = fileURLToPath(new URL('..', import.meta.url));
const git = (...args: string[]) => spawnSync('git', args, { cwd: project, encoding: 'utf8' });

/** Only a copy without the history may skip this. */
function withoutHistory(): string | false {
  if (git('cat-file', '-e', `${OLDER}^{commit}`).status === 0) return false;
  const { status, stdout } = git('rev-parse', '--is-shallow-repository');
  if (status !== 0) return 'skipped: this is no clone, so there is no older version to update from';
  if (stdout.trim() === 'true') return 'skipped: this clone is shallow; run "git fetch --unshallow"';
  throw new Error(`The history has no commit ${OLDER}.`);
}

test(
  'an update and the way back keep labels, withdrawals, switches and what sources said',
  { skip: withoutHistory() },
  async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'monroney-upgrade-'));
    const [older, dataDir] = [path.join(folder, 'older'), path.join(folder, 'data')];
    const simulator = await startSimulator();
    t.after(async () => {
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const extract = 'mkdir "$1" && git archive "$2" | tar -x -C "$1" && cd "$1" && npm ci --omit=dev';
    const install = `${extract} --ignore-scripts --no-audit --no-fund`;
    execFileSync('sh', ['-ec', install, 'sh', older, OLDER], { cwd: project, stdio: 'pipe' });
    const env = { DATA_DIR: dataDir, SOURCE_ORIGIN: simulator.origin };
    const [none, withdrawn] = [newVin('ford'), newVin('gm')];
    simulator.set(none, 'none');

    /** One version of the service while `use` runs, and its commands. */
    async function run(
      version: string,
      use: (port: number, admin: (...args: string[]) => string) => Promise<void>,
    ) {
      const service = await serve(env, { project: version, useCache: false });
      const admin = (...args: string[]) =>
        execFileSync(process.execPath, ['bin/monroney.mjs', 'admin', ...args], {
          cwd: version,
          env: { PATH: process.env.PATH, ...env },
          encoding: 'utf8',
        });
      try {
        await use(service.port, admin);
      } finally {
        await service.kill('SIGTERM');
      }
      assert.equal(service.child.exitCode, 0);
    }

    const stored = new Map<string, Buffer>();
    const fetchNew = async (port: number, vin: string) => {
      const { status, body } = await get(port, `/api/sticker/${vin}`);
      assert.equal(status, 200);
      stored.set(vin, body);
    };
    /** Everything from before is there, and no source is asked again. */
    const assertKept = async (port: number, admin: (...args: string[]) => string) => {
      const asked = simulator.requests.length;
      for (const [vin, bytes] of stored) {
        const { status, body } = await get(port, `/api/sticker/${vin}`);
        assert.equal(status, 200);
        assert.ok(body.equals(bytes), 'byte for byte');
      }
      assert.equal((await get(port, `/api/sticker/${none}`)).status, 404);
      assert.equal((await get(port, `/api/sticker/${withdrawn}`)).status, 451);
      assert.match(admin('source', 'list'), /^kia +off/m);
      assert.match(admin('verify'), new RegExp(`\\b${stored.size}\\b`));
      assert.equal(simulator.requests.length, asked);
    };

    await run(older, async (port, admin) => {
      for (const source of ['ford', 'gm']) await fetchNew(port, newVin(source));
      assert.equal((await get(port, `/api/sticker/${none}`)).status, 404);
      assert.equal((await get(port, `/api/sticker/${withdrawn}`)).status, 200);
      admin('withdraw', withdrawn, '--reason', 'for a test');
      admin('source', 'off', 'kia', '--reason', 'for a test');
    });
    await run(project, async (port, admin) => {
      await assertKept(port, admin);
      await fetchNew(port, newVin('toyota'));
    });
    await run(older, assertKept);
  },
);
