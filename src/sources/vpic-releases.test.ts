import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startHttpServer } from '../../test/http-server.ts';
import { temporaryFolder } from '../lib/testing.ts';
import { openFetch } from './fetch.ts';
import { download, findReleases, newestRelease } from './vpic-releases.ts';

const NHTSA = 'https://vpic.nhtsa.dot.gov';
const page = `${NHTSA}/downloads/`;
const listing = `<a HREF="/downloads/vPICList_lite_2026_09.plain.zip">…</a>
  <a HREF="/downloads/vPICList_lite_2026_10.bak.zip">…</a> <a HREF="/downloads/vPICList_lite_2026_10.custom.zip">…</a>
  <a href='vPICList_lite_2026_10.plain.zip'>…</a> <a href="/downloads/vPICList_lite_2025_12.plain.zip">…</a>
  <a href="https://elsewhere.example/vPICList_lite_2027_01.plain.zip">…</a> <a href="https://[vPICList_lite_2027_02.zip">`;

/** Requests to NHTSA go to this listener. */
async function nhtsa(t: TestContext, listener: RequestListener) {
  const sourceOrigin = await startHttpServer(t, listener);
  const fetch = openFetch({ baseUrl: 'https://monroney.example', sourceOrigin, maxBytes: 100_000 });
  t.after(() => fetch.close());
  return fetch;
}

test('the newest plain dump on the same host is chosen from the listing', () => {
  assert.deepEqual(newestRelease(listing, page), {
    month: '2026-10',
    url: 'https://vpic.nhtsa.dot.gov/downloads/vPICList_lite_2026_10.plain.zip',
  });
  assert.equal(newestRelease('<html>Nothing here</html>', page), null);
});

test('without a listing the usual file names of recent months are returned, newest first', async (t) => {
  const requested: string[] = [];
  const fetch = await nhtsa(t, (request, response) => {
    requested.push(request.url!);
    response.writeHead(404).end();
  });
  const releases = await findReleases(NHTSA, fetch, new Date('2026-01-15'));
  assert.deepEqual(releases[1], { month: '2025-12', url: `${page}vPICList_lite_2025_12.plain.zip` });
  assert.deepEqual([releases[0]?.month, releases.length], ['2026-01', 6]);
  assert.deepEqual(requested, ['/vpic.nhtsa.dot.gov/downloads/', '/vpic.nhtsa.dot.gov/api/']);
});

test('a download is identical to the served file, however large, and a missing file is none', async (t) => {
  const bytes = Buffer.alloc(1_000_000, 'the bytes');
  const fetch = await nhtsa(t, (request, response) => {
    if (request.url?.endsWith('x.zip')) response.end(bytes);
    else response.writeHead(404).end('no such file');
  });
  const folder = temporaryFolder(t);
  const progress: number[] = [];
  assert.equal(await download(`${page}x.zip`, join(folder, 'x'), fetch, (done) => progress.push(done)), true);
  assert.ok(bytes.equals(readFileSync(join(folder, 'x'))));
  assert.equal(progress.at(-1), bytes.length);
  assert.equal(await download(`${page}y.zip`, join(folder, 'y'), fetch, () => {}), false);
});

test('a download that ends early, or that the server refuses, is an error', async (t) => {
  const fetch = await nhtsa(t, (request, response) => {
    if (request.url?.endsWith('refused.zip')) return void response.writeHead(403).end();
    response.writeHead(200, { 'content-length': 1000 });
    response.write('part', () => response.destroy());
  });
  const to = join(temporaryFolder(t), 'x');
  await assert.rejects(
    download(`${page}x.zip`, to, fetch, () => {}),
    /x\.zip can't be downloaded: cut-short\./,
  );
  await assert.rejects(
    download(`${page}refused.zip`, to, fetch, () => {}),
    /responded with 403/,
  );
});

test('what cannot be written, for example to a full disk, is an error of the disk', async (t) => {
  const fetch = await nhtsa(t, (_, response) => response.end('the bytes'));
  await assert.rejects(
    download(`${page}x.zip`, '/nowhere/x.zip', fetch, () => {}),
    { code: 'ENOENT' },
  );
});

test('a download is requested from NHTSA alone, not from where it redirects to', async (t) => {
  const fetch = await nhtsa(t, (_, response) =>
    response.writeHead(302, { location: 'https://elsewhere.example/x.zip' }).end(),
  );
  await assert.rejects(
    download(`${page}x.zip`, join(temporaryFolder(t), 'x'), fetch, () => {}),
    /redirect-off-list/,
  );
});
