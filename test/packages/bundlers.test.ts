import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { loadVpic } from '../../packages/vin/src/index.ts';
import { openBrowser, withoutBrowser } from '../pages/browser.ts';
import { installBundlers } from './bundlers.ts';
import { emptyProject, packPackages, serveFolder, type Project } from './project.ts';

/** The decoder in production builds of bundlers without any configuration, in a real browser. */

const skip = withoutBrowser;
const VIN = '1FTMW1T88MFA00001';
const now = '2026-11-01T00:00:00Z';

/** What a page with one VIN may load. */
const MAX_PAGE_BYTES = 450_000;

let built: ReturnType<typeof packPackages<'vin'>>;
let project: Project;
let bundlers: ReturnType<typeof installBundlers>;
let browser: Browser;

const app = (options: string): string => `
  import { openVpic } from '@monroney/vin';
  globalThis.opened = openVpic(${options});
  globalThis.decoded = opened.then((vpic) => vpic.decodeFull('${VIN}', { now: new Date('${now}') }));`;

before(async () => {
  if (skip) return;
  built = packPackages('vin');
  project = emptyProject();
  project.install(built.tarballs.vin);
  bundlers = installBundlers(project);
  project.write('app.js', app(''));
  project.write('hosted.js', app(`{ base: '/parts' }`));
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  for (const folder of [project, bundlers, built]) folder?.remove();
});

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
  ['Vite 6', () => bundlers.vite(6), true],
  ['Vite 8', () => bundlers.vite(8), true],
  ['webpack 5', () => bundlers.webpack(), true],
  ['esbuild with splitting', () => bundlers.esbuild('split', 'app.js', '--splitting'), true],
  ['esbuild into one file', () => bundlers.esbuild('whole', 'app.js'), false],
  [
    'esbuild with the data hosted beside the page',
    () => {
      const folder = bundlers.esbuild('hosted', 'hosted.js', '--splitting');
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
