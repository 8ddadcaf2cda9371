import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { loadVpic } from '../../packages/vin/src/index.ts';
import { openBrowser, withoutBrowser } from '../pages/browser.ts';
import { emptyProject, packPackages, RUNTIMES, serveFolder, type Project } from './project.ts';

/** The decoder's package in a browser, workerd, Deno and Bun. Node is in `packages.test.ts`. */

const VIN = '1FTMW1T88MFA00001';
const PARTIAL = '5UXWX7C5*BA';
const now = '2026-11-01T00:00:00Z';
let built: ReturnType<typeof packPackages<'vin'>>;
let project: Project;
let tools: Project;
let installed: string;

before(() => {
  built = packPackages('vin');
  project = emptyProject();
  project.install(built.tarballs.vin);
  installed = join(project.folder, 'node_modules/@monroney/vin');
  tools = emptyProject();
  // The programs are separate packages, so their install scripts aren't needed.
  tools.install('--ignore-scripts', ...RUNTIMES);
});
after(() => {
  project?.remove();
  tools?.remove();
  built?.remove();
});

const program = (pattern: string): string =>
  join(tools.folder, globSync(pattern, { cwd: tools.folder })[0] ?? '');

/** What every runtime prints: a full and a partial VIN, two of many, the lists and a test VIN. */
const USE = `
  const options = { now: new Date('${now}') };
  const many = [];
  for await (const { vehicle } of vpic.decodeMany(['${VIN}', 'WA1A4AFY2J2008189'], options)) many.push(vehicle.model);
  const used = [await vpic.decodeFull('${VIN}', options), await vpic.values('${PARTIAL}', options), await vpic.wmi('1FT'), many,
    await vpic.models('tesla', 2020), (await vpic.makes()).length, await vpic.testVin({ make: 'Rivian', ...options })];
`;

function expected(): unknown {
  const vpic = loadVpic();
  const options = { now: new Date(now) };
  return JSON.parse(
    JSON.stringify([
      vpic.decodeFull(VIN, options),
      vpic.values(PARTIAL, options),
      vpic.wmi('1FT'),
      ['F-150', 'SQ5'],
      vpic.models('tesla', 2020),
      vpic.makes().length,
      vpic.testVin({ make: 'Rivian', ...options }),
    ]),
  );
}

test('the core of the package imports no Node modules', () => {
  const visited = new Set<string>();
  const follow = (file: string): void => {
    if (visited.has(file)) return;
    visited.add(file);
    const text = readFileSync(join(installed, 'esm', file), 'utf8');
    assert.doesNotMatch(text, /from ['"]node:|require\(|\bBuffer\b|\bprocess\./, file);
    for (const [, next] of text.matchAll(/from ['"]\.\/([^'"]+)['"]/g)) follow(next!);
  };
  follow('browser.js');
  assert.ok(visited.size > 15);
});

for (const [name, pattern, args] of [
  ['Deno', 'node_modules/@deno/*/deno', ['run', '--allow-read', '--node-modules-dir=manual']],
  ['Bun', 'node_modules/@oven/*/bin/bun', []],
] as const) {
  for (const entry of ['@monroney/vin', '@monroney/vin/web']) {
    test(`${name} decodes with ${entry}`, () => {
      project.write(
        'use.mjs',
        `import { openVpic } from '${entry}';\nconst vpic = await openVpic();\n${USE}\nconsole.log(JSON.stringify(used));`,
      );
      const result = spawnSync(program(pattern), [...args, 'use.mjs'], {
        cwd: project.folder,
        encoding: 'utf8',
        env: { HOME: project.folder, PATH: process.env['PATH'], NO_COLOR: '1' },
      });
      assert.equal(result.status, 0, result.stderr);
      assert.deepEqual(JSON.parse(result.stdout), expected());
    });
  }
}

test('workerd decodes with the data from a binding', async (t) => {
  project.write(
    'worker.js',
    `import { openVpic } from './esm/browser.js';
     const load = (env) => async (name) => (await env.PARTS.fetch('http://parts/' + name)).arrayBuffer();
     export default { async fetch(request, env) {
       const vpic = await openVpic({ load: load(env) });
       ${USE}
       return Response.json(used);
     } };`,
  );
  const modules = globSync('*.js', { cwd: join(installed, 'esm') }).map(
    (file) => `(name = "esm/${file}", esModule = embed "node_modules/@monroney/vin/esm/${file}")`,
  );
  project.write(
    'worker.capnp',
    `using Workerd = import "/workerd/workerd.capnp";
     const config :Workerd.Config = (
       services = [
         (name = "main", worker = (
           modules = [(name = "worker.js", esModule = embed "worker.js"), ${modules.join(', ')}],
           bindings = [(name = "PARTS", service = "parts")],
           compatibilityDate = "2026-01-01")),
         (name = "parts", disk = (path = "${join(installed, 'data/parts')}"))
       ],
       sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
     );`,
  );
  const worker = spawn(
    program('node_modules/@cloudflare/*/bin/workerd'),
    ['serve', 'worker.capnp', '--control-fd=3'],
    { cwd: project.folder, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] },
  );
  t.after(() => worker.kill());
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('exit', (code) => reject(new Error(`workerd ended with ${code}`)));
    createInterface(worker.stdio[3] as Readable).on('line', (line) => {
      const message = JSON.parse(line) as { event: string; port: number };
      if (message.event === 'listen') resolve(message.port);
    });
  });
  const response = await fetch(`http://127.0.0.1:${port}/`);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), expected());
});

test('a page decodes one VIN without loading all of the data', { skip: withoutBrowser }, async (t) => {
  const pages = await serveFolder(installed);
  const browser = await openBrowser();
  t.after(async () => {
    await browser.close();
    pages.close();
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  await page.goto(pages.origin);
  const body = `(async () => {
      const { openVpic } = await import('/esm/browser.js');
      const vpic = await openVpic();
      const { vehicle } = await vpic.decode('${VIN}');
      const loaded = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/data/'));
      const size = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
      ${USE}
      return { model: vehicle.model, files: loaded.length, size, used: JSON.parse(JSON.stringify(used)) };
    })()`;
  const visited = await page.evaluate<{ model: string; files: number; size: number; used: unknown }>(body);
  assert.equal(visited.model, 'F-150');
  assert.equal(visited.files, 2);
  assert.ok(visited.size < 350_000, `${visited.size} bytes`);
  t.diagnostic(`${visited.size} bytes of data for one VIN`);
  assert.deepEqual(visited.used, expected());
});
