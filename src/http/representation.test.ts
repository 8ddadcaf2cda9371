// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/property.ts';
import { byteRange, codingOf, ifRange, precondition } from './representation.ts';
import { httpDate } from './response.ts';

const etag = '"abc"';
const modified = Date.UTC(2026, 10, 15, 8, 30, 12) + 345;
const day = 86_400_000;
const [before, same, later] = [modified - day, modified, modified + day].map(httpDate) as [
  string,
  string,
  string,
];

test('preconditions are evaluated as RFC 9110 says', () => {
  const cases: Record<ReturnType<typeof precondition>, Record<string, string>[]> = {
    go: [
      {},
      ...['"abd"', 'abc', '"abc', '"x" "abc"', '', '**'].map((tags) => ({ 'if-none-match': tags })),
      { 'if-none-match': '"other"', 'if-modified-since': later },
      ...[httpDate(modified - 1000), '2030-01-01', 'tomorrow 2099'].map((date) => ({
        'if-modified-since': date,
      })),
      { 'if-match': '"abc"' },
      { 'if-match': '*' },
      { 'if-unmodified-since': same },
      { 'if-unmodified-since': before, 'if-match': '"abc"' },
    ],
    'not-modified': [
      ...['"abc"', '"x", "abc"', 'W/"abc"', '"x",W/"abc" , "y"', '*', ' "abc" ', ',, "abc"'].map((tags) => ({
        'if-none-match': tags,
      })),
      // The last two are obsolete formats.
      ...[same, later, 'Sunday, 15-Nov-26 08:30:12 GMT', 'Sun Nov 15 08:30:12 2026'].map((date) => ({
        'if-modified-since': date,
      })),
    ],
    failed: [{ 'if-match': 'W/"abc"' }, { 'if-match': '"other"' }, { 'if-unmodified-since': before }],
  };
  for (const [outcome, requests] of Object.entries(cases))
    for (const headers of requests)
      assert.equal(precondition(headers, etag, modified), outcome, JSON.stringify(headers));
  assert.equal(precondition({ 'if-modified-since': same }, etag, null), 'go', 'the response has no date');
});

test('If-Range matches only our strong ETag and our exact date', () => {
  for (const field of [undefined, '"abc"', same]) assert.equal(ifRange(field, etag, modified), true, field);
  for (const field of ['W/"abc"', '"other"', httpDate(modified + 1000), 'nonsense'])
    assert.equal(ifRange(field, etag, modified), false, field);
});

test('no header value throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      precondition({ 'if-none-match': text, 'if-match': text, 'if-modified-since': text }, etag, modified);
      ifRange(text, etag, modified);
    }),
  );
});

test('a range is a part of the file, unsatisfiable, or ignored', () => {
  for (const [field, start, end] of [
    ['bytes=0-499', 0, 499],
    ['bytes=500-', 500, 999],
    ['bytes=-200', 800, 999],
    ['Bytes= 1-1 ', 1, 1],
    ['bytes=900-5000', 900, 999],
    ['bytes=-5000', 0, 999],
    [`bytes=0-${'9'.repeat(400)}`, 0, 999],
  ] as const)
    assert.deepEqual(byteRange(field, 1000), { start, end }, field);
  for (const field of ['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])
    assert.equal(byteRange(field, 1000), 'unsatisfiable', field);
  for (const field of [
    undefined,
    'bytes=0-1,5-6',
    'lines=1-2',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
  ])
    assert.equal(byteRange(field, 1000), 'full', field);
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n }),
      fc.bigInt({ min: 0n }),
      fc.integer({ min: 1, max: 5000 }),
      (a, b, size) => {
        const range = byteRange(`bytes=${a}-${b}`, size);
        if (typeof range === 'string') return;
        assert.ok(range.start >= 0 && range.start <= range.end && range.end < size);
      },
    ),
  );
});

test('Accept-Encoding chooses the best coding that the client accepts', () => {
  for (const [accept, coding] of [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['*', null],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', null],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['GZIP ; q=0.3', 'gzip'],
    ['xbr, gzipped', null],
  ] as const)
    assert.equal(codingOf(accept), coding, accept);
});
