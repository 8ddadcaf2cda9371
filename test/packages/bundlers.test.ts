import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { loadVpic } from '../../packages/vin/src/index.ts';
import { openBrowser, withoutBrowser } from '../pages/browser.ts';
import { emptyProject, packPackages, serveFolder, type Project } from './project.ts';

/** The decoder in production builds of bundlers without any configuration, in a real browser. */

const skip = withoutBrowser;
const VIN = '1FTMW1T88MFA00001';
const now = '2026-11-01T00:00:00Z';

/** What a page with one VIN may load. */
const MAX_PAGE_BYTES = 450_000;

let built: ReturnType<typeof packPackages>;
let project: Project;
let bundlers: Project;
let browser: Browser;

const app = (options: string): string => `
  import { openVpic } from '@monroney/vin';
  globalThis.opened = openVpic(${options});
  globalThis.decoded = opened.then((vpic) => vpic.decodeFull('${VIN}', { now: new Date('${now}') }));`;

before(async () => {
  if (skip) return;
  built = packPackages();
  project = emptyProject();
  project.install(built.tarballs[0]!);
  bundlers = emptyProject();
  bundlers.install('vite6@npm:vite@6.4.6', 'vite8@npm:vite@8.3.8', 'webpack@5.112.2', 'esbuild@0.28.2');
  project.write('app.js', app(''));
  project.write('hosted.js', app(`{ base: '/parts' }`));
  project.write(
    'index.html',
    '<!doctype html><title>Built</title><script type="module" src="/app.js"></script>',
  );
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  for (const folder of [project, bundlers, built]) folder?.remove();
});

/** Runs a bundler in the project and returns the folder with its output. */
function build(name: string, args: string[]): string {
  const result = spawnSync(process.execPath, args, { cwd: project.folder, encoding: 'utf8' });
  assert.equal(result.status, 0, result.stdout + result.stderr);
  return join(project.folder, name);
}

const bin = (path: string): string => join(bundlers.folder, 'node_modules', path);

function esbuild(name: string, entry: string, ...options: string[]): string {
  const args = [`--bundle`, '--minify', '--format=esm', `--outdir=${name}`, ...options];
  const result = spawnSync(bin('esbuild/bin/esbuild'), [entry, ...args], {
    cwd: project.folder,
    encoding: 'utf8',
  });
  assert.equal(result.status, 0, result.stderr);
  return withPage(name, entry);
}

/** Adds the page that Vite writes by itself. */
function withPage(name: string, script: string): string {
  const folder = join(project.folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><title>Built</title><script type="module" src="/${script}"></script>`,
  );
  return folder;
}

const vite = (version: 6 | 8): string =>
  build(`vite${version}`, [bin(`vite${version}/bin/vite.js`), 'build', '--outDir', `vite${version}`]);

function webpack(): string {
  project.write(
    'webpack.cjs',
    `const webpack = require(${JSON.stringify(bin('webpack'))});
     const output = { path: __dirname + '/webpack', filename: 'app.js' };
     webpack({ mode: 'production', context: __dirname, entry: './app.js', output }, (error, stats) => {
       if (error || stats.hasErrors()) throw error ?? new Error(stats.toString());
     });`,
  );
  build('webpack', ['webpack.cjs']);
  return withPage('webpack', 'app.js');
}

/** Opens a built page and returns what it decoded, how much it loaded, and its makes. */
async function visit(folder: string) {
  const site = await serveFolder(folder);
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  try {
    await page.goto(site.origin);
    const decoded = await page.evaluate<unknown>('decoded.then((all) => JSON.parse(JSON.stringify(all)))');
    const loaded = site.bytes();
    const makes = await page.evaluate<number>(
      'opened.then((vpic) => vpic.makes()).then((all) => all.length)',
    );
    return { decoded, loaded, makes };
  } finally {
    await page.close();
    site.close();
  }
}

for (const [name, bundle, isSplit] of [
  ['Vite 6', () => vite(6), true],
  ['Vite 8', () => vite(8), true],
  ['webpack 5', webpack, true],
  ['esbuild with splitting', () => esbuild('split', 'app.js', '--splitting'), true],
  ['esbuild into one file', () => esbuild('whole', 'app.js'), false],
  [
    'esbuild with the data hosted beside the page',
    () => {
      const folder = esbuild('hosted', 'hosted.js', '--splitting');
      cpSync(join(project.folder, 'node_modules/@monroney/vin/data/parts'), join(folder, 'parts'), {
        recursive: true,
      });
      return folder;
    },
    true,
  ],
] as const) {
  test(`a page built with ${name} decodes a VIN in the browser`, { skip }, async (t) => {
    const { decoded, loaded, makes } = await visit(bundle());
    const vpic = loadVpic();
    assert.deepEqual(decoded, JSON.parse(JSON.stringify(vpic.decodeFull(VIN, { now: new Date(now) }))));
    assert.equal(makes, vpic.makes().length);
    t.diagnostic(`${loaded} bytes loaded for one VIN`);
    if (isSplit) assert.ok(loaded < MAX_PAGE_BYTES, `${loaded} bytes`);
  });
}
