import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { httpDate, type ApiResponse } from './response.ts';
import { getSticker } from './sticker.ts';
import {
  FAILED,
  headerOf,
  FETCHED,
  contextWith,
  HELD,
  NO_SOURCE,
  NONE,
  OFF,
  pdfOf,
  fakeLookup,
  request,
  textOf,
} from './testing.ts';

const path = (vin: string) => `/api/sticker/${vin}`;

async function get(vin: string, query = '', headers: Record<string, string> = {}, method = 'GET') {
  const fake = fakeLookup();
  const response = await getSticker(
    request(path(vin) + query, headers, method),
    vin,
    contextWith(fake.lookup),
  );
  return { response, fake };
}

const bytesOf = ({ body }: ApiResponse) =>
  body && typeof body === 'object' && 'bytes' in body ? body.bytes : null;
const jsonOf = (response: ApiResponse) => JSON.parse(textOf(response));

test("serves the manufacturer's bytes with validators, digest and file name", async () => {
  const { response, fake } = await get(HELD);
  const sha256 = createHash('sha256').update(fake.pdf).digest();
  assert.equal(response.status, 200);
  assert.deepEqual(bytesOf(response), fake.pdf);
  const expected = {
    'content-type': 'application/pdf',
    'content-length': '300000',
    etag: `"${sha256.toString('hex')}"`,
    'last-modified': httpDate(FETCHED),
    'accept-ranges': 'bytes',
    'content-disposition': `inline; filename="window-sticker-${HELD}.pdf"`,
    'content-digest': `sha-256=:${sha256.toString('base64')}:`,
    'repr-digest': `sha-256=:${sha256.toString('base64')}:`,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-robots-tag': 'noindex',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(headerOf(response, name), value, name);
});

test('download=1 makes it an attachment, other values do not', async () => {
  const name = async (query: string) => headerOf((await get(HELD, query)).response, 'content-disposition');
  assert.equal(await name('?download=1'), `attachment; filename="window-sticker-${HELD}.pdf"`);
  assert.match((await name('?download=0'))!, /^inline/);
  const twice = (await get(HELD, '?download=1&download=1')).response;
  assert.deepEqual([twice.status, jsonOf(twice).reason], [400, 'bad-parameter']);
});

test('HEAD has the same headers and reads no file', async () => {
  const { response } = await get(HELD, '', { range: 'bytes=0-1' }, 'HEAD');
  assert.deepEqual(
    [response.status, response.body, headerOf(response, 'content-length')],
    [200, null, '300000'],
  );
  assert.equal(response.head, (await get(HELD)).response.head);
});

test('a range is a part of the same file', async () => {
  const { response, fake } = await get(HELD, '', { range: 'bytes=100-199' });
  assert.equal(response.status, 206);
  assert.deepEqual(bytesOf(response), fake.pdf.subarray(100, 200));
  assert.equal(headerOf(response, 'content-range'), 'bytes 100-199/300000');
  assert.equal(headerOf(response, 'content-length'), '100');
  assert.equal(headerOf(response, 'content-digest'), undefined);
  assert.notEqual(headerOf(response, 'repr-digest'), undefined);
});

test('a range past the end is 416 with the length', async () => {
  const { response } = await get(HELD, '', { range: 'bytes=300000-' });
  assert.deepEqual([response.status, headerOf(response, 'content-range')], [416, 'bytes */300000']);
  assert.equal(jsonOf(response).reason, 'range-not-satisfiable');
});

test('a range of another version gets the full file', async () => {
  const range = 'bytes=0-9';
  assert.equal((await get(HELD, '', { range, 'if-range': '"old"' })).response.status, 200);
  assert.equal((await get(HELD, '', { range, 'if-range': httpDate(FETCHED) })).response.status, 206);
});

test('a file that the client already has is not sent again', async () => {
  const { label } = fakeLookup();
  const conditions: Record<string, string>[] = [
    { 'if-none-match': `"${label.sha256}"` },
    { 'if-none-match': '*' },
    { 'if-modified-since': httpDate(FETCHED) },
  ];
  for (const headers of conditions) {
    const { response } = await get(HELD, '', headers);
    assert.deepEqual([response.status, response.body], [304, null]);
    assert.equal(headerOf(response, 'etag'), `"${label.sha256}"`);
  }
});

test('no label is 404 with a reason, and a failure never is', async () => {
  const problemOf = async (vin: string) => {
    const { response } = await get(vin);
    const { status, reason, vin: named } = jsonOf(response);
    assert.deepEqual([response.status, named], [status, vin]);
    return [status, reason, headerOf(response, 'cache-control'), headerOf(response, 'retry-after')];
  };
  assert.deepEqual(await problemOf(NO_SOURCE), [
    404,
    'make-not-supported',
    'public, max-age=86400',
    undefined,
  ]);
  assert.deepEqual(await problemOf(NONE), [404, 'no-label', 'public, max-age=3600', undefined]);
  assert.deepEqual(await problemOf(OFF), [404, 'source-off', 'no-store', undefined]);
  assert.deepEqual(await problemOf(FAILED), [503, 'source-failed', 'no-store', '30']);
});

test('a very large label is streamed, in full and in ranges', async () => {
  const fake = fakeLookup(pdfOf(5_000_000));
  const context = contextWith(fake.lookup);
  for (const [headers, start, end] of [
    [{}, 0, 5_000_000],
    [{ range: 'bytes=10-19' }, 10, 20],
  ] as const) {
    const { body } = await getSticker(request(path(HELD), headers), HELD, context);
    assert.ok(body && typeof body === 'object' && 'open' in body);
    const sent = Buffer.concat(await (await body.open()).toArray());
    assert.deepEqual(sent, fake.pdf.subarray(start, end));
  }
});

test('a label that was served is not looked up again', async () => {
  const fake = fakeLookup();
  const context = contextWith(fake.lookup);
  await getSticker(request(path(HELD)), HELD, context);
  await getSticker(request(path(HELD)), HELD, context);
  assert.equal(fake.found.length, 1);
});
