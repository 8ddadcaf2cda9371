import assert from 'node:assert/strict';
import { copyFileSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { ROOT } from '../../tools/pack/compile.ts';
import { MONRONEY } from '../command.ts';
import { openBrowser, withoutBrowser } from '../pages/browser.ts';
import { installBundlers } from './bundlers.ts';
import { emptyProject, installNodes, outputOf, packPackages, serveFolder, type Project } from './project.ts';

/** The reader's package in Node, and in a browser with and without a bundler: the same results as `monroney read`. */

const VERSIONS = [20, 22, 24];
const SPECIMENS = globSync('src/lookup/specimens/*.pdf', { cwd: ROOT }).toSorted();
/** One whose make has a reader. */
const VIN = '1G1YB2D43S5000000';

let built: ReturnType<typeof packPackages<'vin' | 'label'>>;
let project: Project;
let tools: Project;
let nodes: Map<number, string>;
let bundlers: ReturnType<typeof installBundlers>;
let browser: Browser;
/** What `monroney read` prints about each specimen. */
let expected: Record<string, unknown>[];

before(async () => {
  built = packPackages('vin', 'label');
  project = emptyProject();
  project.install(built.tarballs.vin, built.tarballs.label);
  SPECIMENS.forEach((file, index) => copyFileSync(join(ROOT, file), join(project.folder, `${index}.pdf`)));
  tools = emptyProject();
  nodes = installNodes(VERSIONS, tools);
  expected = await readByCommand();
  if (withoutBrowser) return;
  bundlers = installBundlers(project);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  for (const folder of [project, tools, bundlers, built]) folder?.remove();
});

async function readByCommand(): Promise<Record<string, unknown>[]> {
  const files = SPECIMENS.map((_, index) => `${index}.pdf`);
  const env = { PATH: process.env['PATH'] };
  const printed = await outputOf(process.execPath, [MONRONEY, 'read', '--json', ...files], {
    cwd: project.folder,
    env,
  });
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { file: _, sample: __, ...reading } = JSON.parse(line) as Record<string, unknown>;
      return reading;
    });
}

test('the package is smaller than 8 MB', (t) => {
  const { size } = statSync(built.tarballs.label);
  t.diagnostic(`${size} bytes`);
  assert.ok(size < 8e6, `${size} bytes`);
});

/** Reads all specimens and draws one, and counts the connections that it opens. */
const USE = `
  let connections = 0;
  require('node:net').Socket.prototype.connect = () => { connections += 1; throw new Error('no network'); };
  const { readFileSync } = require('node:fs');
  const run = async () => {
    const readings = [];
    for (let index = 0; index < ${SPECIMENS.length}; index++) readings.push(await readLabel(readFileSync(index + '.pdf')));
    const { width, height, data } = await renderPage(readFileSync('0.pdf'), { width: 320 });
    console.log(JSON.stringify({ readings, connections, drawn: [width, data.length === width * height * 4, new Set(data).size > 2] }));
  };
  run();`;

for (const version of VERSIONS) {
  test(`Node ${version} reads labels like the command, imported and required, without a connection`, () => {
    const imported = `import { createRequire } from 'node:module';\nimport { readLabel, renderPage } from '@monroney/label';
      const require = createRequire(import.meta.url);${USE}`;
    project.write('use.mjs', imported);
    project.write('use.cjs', `const { readLabel, renderPage } = require('@monroney/label');${USE}`);
    for (const file of ['use.mjs', 'use.cjs']) {
      const { readings, connections, drawn } = JSON.parse(project.run(nodes.get(version)!, file)) as {
        readings: unknown;
        connections: number;
        drawn: unknown;
      };
      assert.equal(connections, 0);
      assert.deepEqual(readings, expected, file);
      assert.deepEqual(drawn, [320, true, true]);
    }
  });
}

const app = (importPdfium: string, options: string): string => `
  import { readLabel, renderPage } from '@monroney/label';${importPdfium}
  globalThis.read = async (url) => {
    const pdf = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const { width, height, data } = await renderPage(pdf, { width: 320${options} });
    const reading = await readLabel(pdf${options && `, {${options.slice(1)} }`});
    return { reading: JSON.parse(JSON.stringify(reading)), drawn: [width, data.length === width * height * 4] };
  };`;

const URL_OF_PDFIUM = "\n  import pdfium from '@hyzyla/pdfium/pdfium.wasm?url';";

for (const [name, source, bundle] of [
  ['Vite 6', app('', ''), () => bundlers.vite(6)],
  ['Vite 8 and the URL of pdfium', app(URL_OF_PDFIUM, ', pdfium'), () => bundlers.vite(8)],
  ['webpack 5', app('', ''), () => bundlers.webpack()],
  ['esbuild with splitting', app('', ''), () => bundlers.esbuild('split', 'app.js', '--splitting')],
  ['esbuild into one file', app('', ''), () => bundlers.esbuild('whole', 'app.js')],
] as const) {
  test(`a page built with ${name} reads a label`, { skip: withoutBrowser }, async () => {
    project.write('app.js', source);
    const folder = bundle();
    const index = SPECIMENS.findIndex((file) => file.includes(VIN));
    copyFileSync(join(project.folder, `${index}.pdf`), join(folder, 'sticker.pdf'));
    const { reading, drawn } = await visit(folder, (page) =>
      page.evaluate<{ reading: unknown; drawn: unknown }>("read('/sticker.pdf')"),
    );
    assert.deepEqual(reading, expected[index]);
    assert.deepEqual(drawn, [320, true]);
  });
}

test("the README's page reads labels without a bundler", { skip: withoutBrowser }, async () => {
  const readme = readFileSync(join(ROOT, 'packages/label/README.md'), 'utf8');
  project.write('index.html', /```html\n([^]*?)```/.exec(readme)![1]!);
  await visit(project.folder, async (page) => {
    for (const [index, reading] of expected.entries()) {
      await page.setInputFiles('input', join(project.folder, `${index}.pdf`));
      const text = await page.waitForFunction(() => {
        const output = document.querySelector('pre')!;
        const { textContent } = output;
        output.textContent = '';
        return textContent;
      });
      assert.deepEqual(JSON.parse(await text.jsonValue()), reading);
    }
  });
});

/** Opens a page that may load only its own site's files, and neither zod nor Node's modules. */
async function visit<T>(folder: string, use: (page: Awaited<ReturnType<Browser['newPage']>>) => Promise<T>) {
  const site = await serveFolder(folder);
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  const others: string[] = [];
  const failed = new Promise<never>((_, reject) => void page.once('pageerror', reject));
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== site.origin || /zod/.test(pathname)) others.push(request.url());
  });
  try {
    await page.goto(site.origin);
    const result = await Promise.race([use(page), failed]);
    assert.deepEqual(others, []);
    return result;
  } finally {
    await page.close();
    site.close();
  }
}
