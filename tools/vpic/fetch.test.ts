import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { download, findRelease, newestRelease } from './releases.ts';

let folder = '';
const servers: Server[] = [];
before(async () => (folder = await mkdtemp(join(tmpdir(), 'vpic-fetch-test-'))));
after(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return `http://127.0.0.1:${address.port}`;
}

const page = 'https://vpic.nhtsa.dot.gov/downloads/';
const listing = `<a HREF="/downloads/vPICList_lite_2026_09.plain.zip">…</a>
  <a HREF="/downloads/vPICList_lite_2026_10.bak.zip">…</a> <a HREF="/downloads/vPICList_lite_2026_10.custom.zip">…</a>
  <a href='vPICList_lite_2026_10.plain.zip'>…</a> <a href="/downloads/vPICList_lite_2025_12.plain.zip">…</a>
  <a href="https://elsewhere.example/vPICList_lite_2027_01.plain.zip">…</a>`;

test('the newest plain dump on the same host is chosen from the listing', () => {
  assert.deepEqual(newestRelease(listing, page), {
    month: '2026-10',
    url: 'https://vpic.nhtsa.dot.gov/downloads/vPICList_lite_2026_10.plain.zip',
  });
  assert.equal(newestRelease('<html>Nothing here</html>', page), null);
});

test('without a listing the usual file names of recent months are tried', async () => {
  const requested: string[] = [];
  const origin = await serve((request, response) => {
    requested.push(`${request.method} ${request.url}`);
    response.writeHead(request.url?.includes('2026_09') ? 200 : 404).end();
  });
  const release = await findRelease(origin, new Date('2026-11-15'));
  assert.equal(release?.month, '2026-09');
  assert.equal(requested.at(-1), 'HEAD /downloads/vPICList_lite_2026_09.plain.zip');
});

test('a download that ends early is an error', async () => {
  const origin = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 1_000 });
    response.write('part', () => response.destroy());
  });
  await assert.rejects(download(`${origin}/x.zip`, join(folder, 'early.zip'), () => {}));
});

test('a download is identical to the served file', async () => {
  const origin = await serve((_, response) => response.end('the bytes'));
  const progress: number[] = [];
  await download(`${origin}/x.zip`, join(folder, 'complete.zip'), (bytes) => progress.push(bytes));
  assert.equal(await readFile(join(folder, 'complete.zip'), 'utf8'), 'the bytes');
  assert.equal(progress.at(-1), 9);
});

async function run(origin: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('fetch.ts', import.meta.url))], {
    env: { ...process.env, VPIC_ORIGIN: origin, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

test('a release that is not a dump is an error, and no files are left behind', async () => {
  const origin = await serve((request, response) =>
    response.end(
      request.url === '/downloads/' ? '<a href="vPICList_lite_2026_10.plain.zip">' : 'not a zip file',
    ),
  );
  const { code, output } = await run(origin);
  assert.notEqual(code, 0);
  assert.match(output, /Newest release: 2026-10/);
  assert.match(output, /Downloaded/);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('vpic-')),
    [],
  );
});

test('the error for an empty listing says what to do instead', async () => {
  const { code, output } = await run(await serve((_, response) => response.writeHead(404).end()));
  assert.equal(code, 1);
  assert.match(output, /lists no release.*vpic:build/s);
});
