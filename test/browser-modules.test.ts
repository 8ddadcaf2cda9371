import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openVpic } from '../packages/vin/src/web.ts';
import { vpic as full } from './decoder.ts';
import { serviceOfFile } from './simulated.ts';

/** The decoder for browsers, as VIN fields load it. */

const service = await serviceOfFile({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });
const settings = await (await service.get('/assets/vin-field-settings.js')).text();
const module = /"decoder":"([^"]+)"/.exec(settings)![1]!;
const parts = /"parts":"([^"]+)"/.exec(settings)![1]!;
const worker = /data-read="([^"]+)"/.exec(await (await service.get('/read')).text())![1]!;

test('the modules for browsers are plain JavaScript and cached as immutable', async () => {
  const visited = new Set<string>();
  const follow = async (path: string): Promise<void> => {
    if (visited.has(path)) return;
    visited.add(path);
    const response = await service.get(path);
    assert.equal(response.status, 200, path);
    assert.match(response.headers.get('content-type')!, /^text\/javascript/);
    assert.match(response.headers.get('cache-control')!, /immutable/);
    const text = await response.text();
    // pdfium's own module is served as it is.
    if (path.includes('/pdfium/')) return;
    assert.doesNotMatch(text, /from 'node:|^interface |: string\b|\.ts'|from '[^.]/m, path);
    for (const [, next] of text.matchAll(/from '(\.[^']+)'/g))
      await follow(new URL(next!, `http://x${path}`).pathname);
  };
  await follow(module);
  await follow(module.replace('vin/web.js', 'label/lib/names.js'));
  assert.ok(visited.size > 15 && visited.size < 50, `${visited.size} modules`);
  await follow(worker);
  assert.ok(visited.size > 60 && visited.size < 150, `${visited.size} modules`);
  // Schemas are for the service.
  assert.deepEqual(
    [...visited].filter((path) => /zod|schema|\/(?:http|store|sources|makers\/index)\b.*src/.test(path)),
    [],
  );
});

test('the page for a lot loads our tables, our client and the libraries they need, and nothing of the service', async () => {
  const page = await (await service.get('/inventory')).text();
  const main = /src="(\/assets\/modules-[^"]+inventory\/main\.js)"/.exec(page)![1]!;
  const visited = new Set<string>();
  const follow = async (path: string): Promise<void> => {
    if (visited.has(path)) return;
    visited.add(path);
    const response = await service.get(path);
    assert.equal(response.status, 200, path);
    const text = await response.text();
    const imports = text.matchAll(
      /^(?:import|export)\s[^'";]*?from\s*['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/gm,
    );
    for (const [, fixed, late] of imports) {
      const name = (fixed ?? late)!;
      assert.match(name, /^\.\.?\//, `${path} imports ${name}`);
      await follow(new URL(name, `http://x${path}`).pathname);
    }
  };
  await follow(main);
  const folders = new Set(
    Array.from(visited, (path) =>
      path
        .split('/')
        .slice(3, path.includes('/src/') ? 5 : 4)
        .join('/'),
    ),
  );
  assert.deepEqual([...folders].toSorted(), [
    'client',
    'csv-parse',
    'excel',
    'fflate',
    'label',
    'src/lib',
    'src/pages',
    'src/tables',
    'vin',
  ]);
});

test('the browser decoder loads its data in parts and gives the same results as the full decoder', async () => {
  const load = async (name: string) => {
    const response = await service.get(parts + name);
    assert.match(response.headers.get('cache-control')!, /immutable/);
    return response.arrayBuffer();
  };
  const vpic = await openVpic({ load });
  for (const vin of ['1FTMW1T88MFA00001', '1A9GPEAA4GC596001', '5UXWX7C5*BA'])
    assert.deepEqual(await vpic.decodeFull(vin), full.decodeFull(vin));
  for (const name of ['nope.bin', 'other.json', '%2e%2e%2fpackage.json'])
    assert.equal((await service.get(parts + name)).status, 404, name);
});

test('no other file can be loaded as a module', async () => {
  const base = module.replace('vin/web.js', '');
  for (const name of [
    'vin/nope.js',
    'vin/index.js',
    'src/main.js',
    'src/config.js',
    'label/reading/label-schemas.js',
    'label/index.ts',
    'pdfium/pdfium.wasm',
    '../package.json',
    '%2e%2e/package.json',
    'vin/../../package.js',
  ])
    assert.equal((await service.get(base + name)).status, 404, name);
  assert.equal((await service.get(worker.replace(/-[0-9a-f]{10}/, '-0123456789'))).status, 404);
});
