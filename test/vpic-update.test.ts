import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { get, serve } from '../tools/drill/drill.ts';
import { dumpOf, madeUpTables } from '../tools/vpic/tiny-release.ts';
import { zipOf } from '../tools/pack/zip.ts';
import { startHttpServer } from './http-server.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

/** A copy of the project whose data can be replaced; it shares the dependencies with the original. */
function copyOfProject(t: TestContext): string {
  const root = mkdtempSync(path.join(tmpdir(), 'monroney-vpic-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const name of ['bin', 'src', 'packages', 'tools/vpic', 'docs', 'package.json', 'CHANGELOG.md'])
    cpSync(path.join(project, name), path.join(root, name), { recursive: true });
  mkdirSync(path.join(root, 'node_modules/@monroney'), { recursive: true });
  for (const name of readdirSync(path.join(project, 'node_modules')))
    if (name !== '@monroney')
      symlinkSync(path.join(project, 'node_modules', name), path.join(root, 'node_modules', name));
  for (const name of ['vin', 'client'])
    symlinkSync(path.join(root, 'packages', name), path.join(root, 'node_modules/@monroney', name));
  return root;
}

/** Serves a made-up NHTSA download page and release. */
async function startReleases(t: TestContext): Promise<string> {
  const name = 'vPICList_lite_2027_01.plain.zip';
  const sql = { name: 'vPICList_lite_2027_01.sql', bytes: Buffer.from(dumpOf(madeUpTables())) };
  const zip = zipOf([sql], { isCompressed: true });
  return startHttpServer(t, (request, response) => {
    if (request.url === '/downloads/')
      response.end(
        `<a HREF="/downloads/vPICList_lite_2026_12.plain.zip">…</a> <a HREF="/downloads/${name}">…</a>`,
      );
    else if (request.url === `/downloads/${name}`) response.end(zip);
    else response.writeHead(404).end();
  });
}

test('vpic:fetch downloads the newest release, and the service uses it after a restart', async (t) => {
  const root = copyOfProject(t);
  const DATA_DIR = path.join(root, 'var');
  const run = (args: string[], env: Record<string, string>) =>
    promisify(execFile)(process.execPath, args, { cwd: root, env: { PATH: process.env.PATH, ...env } });
  const start = async () => {
    const service = await serve({ DATA_DIR }, { project: root, useCache: false });
    t.after(() => service.kill('SIGKILL'));
    const month = async () =>
      (JSON.parse((await get(service.port, '/readyz')).body.toString()) as { vpic: string }).vpic;
    return { month, stop: () => service.kill('SIGTERM') };
  };

  const before = await start();
  const old = await before.month();
  assert.notEqual(old, '2027-01');
  await run(['tools/vpic/fetch.ts', '--unchecked'], { VPIC_ORIGIN: await startReleases(t), TMPDIR: root });
  assert.equal(await before.month(), old, 'a running service keeps the data it was started with');
  await before.stop();
  const after = await start();
  assert.equal(await after.month(), '2027-01');
  await after.stop();
  const { stdout } = await run(['bin/monroney.mjs', 'admin', 'vpic'], { DATA_DIR });
  assert.match(stdout, /^vPIC data of 2027-01, -?\d+ days old\./);
});
