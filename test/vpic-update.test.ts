import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dumpOf, madeUpTables } from '../tools/vpic/tiny-release.ts';
import { zipOf } from '../tools/vpic/zip-writer.ts';

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
  const zip = zipOf('vPICList_lite_2027_01.sql', Buffer.from(dumpOf(madeUpTables())));
  const server = http.createServer((request, response) => {
    if (request.url === '/downloads/')
      response.end(
        `<a HREF="/downloads/vPICList_lite_2026_12.plain.zip">…</a> <a HREF="/downloads/${name}">…</a>`,
      );
    else if (request.url === `/downloads/${name}`) response.end(zip);
    else response.writeHead(404).end();
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('vpic:fetch downloads the newest release, and the service uses it after a restart', async (t) => {
  const root = copyOfProject(t);
  const run = (args: string[], env: Record<string, string> = {}): ChildProcess => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...env },
    });
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  const outputOf = async (child: ChildProcess): Promise<{ code: number | null; text: string }> => {
    let text = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, text };
  };
  const serve = async () => {
    const child = run(['bin/monroney.mjs', 'serve'], { DATA_DIR: path.join(root, 'var') });
    const origin = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stderr!.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const match = /listens on (http:\S+[^.\s])/.exec(text);
        if (match) resolve(match[1]!);
      });
      child.once('exit', () => reject(new Error(text)));
    });
    child.stdout!.resume();
    const month = async () => ((await (await fetch(`${origin}/readyz`)).json()) as { vpic: string }).vpic;
    const stop = async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    };
    return { month, stop };
  };

  const before = await serve();
  const old = await before.month();
  assert.notEqual(old, '2027-01');
  const fetched = await outputOf(
    run(['tools/vpic/fetch.ts', '--unchecked'], { VPIC_ORIGIN: await startReleases(t), TMPDIR: root }),
  );
  assert.equal(fetched.code, 0, fetched.text);
  assert.equal(await before.month(), old, 'a running service keeps the data it was started with');
  await before.stop();
  const after = await serve();
  assert.equal(await after.month(), '2027-01');
  await after.stop();
  const { text } = await outputOf(
    run(['bin/monroney.mjs', 'admin', 'vpic'], { DATA_DIR: path.join(root, 'var') }),
  );
  assert.match(text, /^vPIC data of 2027-01, -?\d+ days old\./);
});
