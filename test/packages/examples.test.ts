import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { ROOT } from '../../tools/pack/compile.ts';
import { startService, type Service } from '../service.ts';
import { emptyProject, packPackages, RUNTIMES, type Project } from './project.ts';

/** The example projects with the built client, each with its own service, because of the rate limit. */

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
let built: ReturnType<typeof packPackages>;
let project: Project;
let tools: Project;
let service: Service;
let expected: string;

before(async () => {
  built = packPackages();
  project = emptyProject();
  project.install(built.tarballs[1]!);
  cpSync(join(ROOT, 'examples'), project.folder, { recursive: true });
  tools = emptyProject();
  tools.install('--ignore-scripts', ...RUNTIMES);
});
after(async () => {
  project?.remove();
  tools?.remove();
  built?.remove();
});

/** Starts a service, runs an example and checks its output. */
async function withService(runExample: () => Promise<string>): Promise<void> {
  service = await startService();
  try {
    const vin = '1FMUK8DH0TG000000';
    type Lookup = { vehicle: Record<string, string>; windowSticker: { bytes: number } };
    const { vehicle, windowSticker } = await service.json<Lookup>(`/api/v1/vin/${vin}`);
    const { label } = await service.json<{ label: { prices: { total: number } } }>(
      `/api/v1/vin/${vin}/label`,
    );
    expected = `${vehicle['year']} ${vehicle['make']} ${vehicle['model']}\n${windowSticker.bytes} bytes, $${label.prices.total / 100} when new`;
    assert.equal((await runExample()).trim(), expected);
  } finally {
    await service.close();
  }
}

/** Asynchronous, because the service runs in this process. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    HOME: project.folder,
    NO_COLOR: '1',
    MONRONEY_URL: service.origin,
  };
  const { stdout } = await promisify(execFile)(program, args, { cwd: project.folder, env, timeout: 60_000 });
  return stdout;
}

const program = (pattern: string): string =>
  join(tools.folder, globSync(pattern, { cwd: tools.folder })[0] ?? '');

test('the Node example works', () => withService(() => run(process.execPath, ['node/lookup.mjs'])));

test('the Bun example works', () =>
  withService(() => run(program('node_modules/@oven/*/bin/bun'), ['bun/lookup.ts'])));

test('the Deno example works', () =>
  withService(() => {
    const allowed = ['--allow-net', '--allow-env', '--allow-read', '--node-modules-dir=manual'];
    return run(program('node_modules/@deno/*/deno'), ['run', ...allowed, 'deno/lookup.ts']);
  }));

test('the Python example works', () => withService(() => run('python3', ['python/lookup.py'])));

test('the browser example works', async (t) => {
  if (!existsSync(executablePath)) return t.skip('skipped: no Chromium');
  const client = join(project.folder, 'node_modules/@monroney/client');
  const pages = http.createServer((request, response) => {
    const path = normalize((request.url ?? '/').split('?')[0]!);
    if (path === '/') {
      const page = readFileSync(join(project.folder, 'browser/index.html'), 'utf8');
      const local = page.replace('https://esm.sh/@monroney/client', '/esm/client/src/index.js');
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(local);
    }
    if (!existsSync(join(client, path))) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(client, path)));
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await withService(async () => {
      const page = await browser.newPage();
      const { port } = pages.address() as AddressInfo;
      await page.goto(`http://127.0.0.1:${port}/?url=${encodeURIComponent(service.origin)}`);
      const result = page.locator('#result:not(:empty)');
      await result.waitFor({ state: 'attached' });
      return (await result.textContent())!;
    });
  } finally {
    await browser.close();
    pages.close();
  }
});
