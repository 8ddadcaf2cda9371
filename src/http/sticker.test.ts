import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { LabelMissing } from '../store/store.ts';
import { httpDate } from './response.ts';
import { client, FAILED, FETCHED, HELD, NO_SOURCE, NONE, OFF, fakeLookup } from './testing.ts';

const path = (vin: string) => `/api/sticker/${vin}`;

async function get(
  vin: string,
  query = '',
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
) {
  const fake = fakeLookup();
  return { response: await client(fake.lookup).get(path(vin) + query, headers, method), fake };
}

test("serves the manufacturer's bytes with validators, digest and file name", async () => {
  const { response, fake } = await get(HELD);
  const sha256 = createHash('sha256').update(fake.pdf).digest();
  assert.equal(response.statusCode, 200);
  assert.deepEqual(response.rawPayload, fake.pdf);
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
  for (const [name, value] of Object.entries(expected)) assert.equal(response.headers[name], value, name);
});

test('download=1 or true makes it an attachment, other values do not', async () => {
  const name = async (query: string) => (await get(HELD, query)).response.headers['content-disposition'];
  for (const value of ['1', 'true', 'True'])
    assert.equal(await name(`?download=${value}`), `attachment; filename="window-sticker-${HELD}.pdf"`);
  for (const value of ['0', 'false', '', '11']) assert.match((await name(`?download=${value}`))!, /^inline/);
  const twice = (await get(HELD, '?download=1&download=1')).response;
  assert.deepEqual([twice.statusCode, twice.json().reason], [400, 'bad-parameter']);
});

test('HEAD reads no file, and ignores a range', async () => {
  const { lookup } = fakeLookup();
  const pdf = () => assert.fail('the file was read');
  const head = await client({ ...lookup, pdf }).get(path(HELD), { range: 'bytes=0-1' }, 'HEAD');
  assert.deepEqual([head.statusCode, head.headers['content-length']], [200, '300000']);
});

test('a range is a part of the same file', async () => {
  const { response, fake } = await get(HELD, '', { range: 'bytes=100-199' });
  assert.equal(response.statusCode, 206);
  assert.deepEqual(response.rawPayload, fake.pdf.subarray(100, 200));
  assert.equal(response.headers['content-range'], 'bytes 100-199/300000');
  assert.equal(response.headers['content-length'], '100');
  assert.equal(response.headers['content-digest'], undefined);
  assert.notEqual(response.headers['repr-digest'], undefined);
});

test('a range past the end is 416 with the length', async () => {
  const { response } = await get(HELD, '', { range: 'bytes=300000-' });
  assert.deepEqual([response.statusCode, response.headers['content-range']], [416, 'bytes */300000']);
  assert.equal(response.json().reason, 'range-not-satisfiable');
});

test('a range of another version gets the full file', async () => {
  const range = 'bytes=0-9';
  assert.equal((await get(HELD, '', { range, 'if-range': '"old"' })).response.statusCode, 200);
  assert.equal((await get(HELD, '', { range, 'if-range': httpDate(FETCHED) })).response.statusCode, 206);
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
    assert.deepEqual([response.statusCode, response.body], [304, '']);
    assert.equal(response.headers['etag'], `"${label.sha256}"`);
  }
});

test('no label is 404 with a reason, and a failure never is', async () => {
  const problemOf = async (vin: string) => {
    const { response } = await get(vin);
    const { status, reason, vin: named } = response.json();
    assert.deepEqual([response.statusCode, named], [status, vin]);
    return [status, reason, response.headers['cache-control'], response.headers['retry-after']];
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

test('a label that was served is not looked up again', async () => {
  const fake = fakeLookup();
  const { get: send } = client(fake.lookup);
  await send(path(HELD));
  await send(path(HELD));
  assert.equal(fake.found.length, 1);
});

test('a label whose file is missing is looked up again, because it may have been replaced', async () => {
  const fake = fakeLookup();
  let isMissing = true;
  const pdf = async () => {
    if (!isMissing) return fake.pdf;
    isMissing = false;
    throw new LabelMissing('gone');
  };
  const { statusCode } = await client({ ...fake.lookup, pdf }).get(path(HELD));
  assert.deepEqual([statusCode, fake.found.length], [200, 2]);
});
