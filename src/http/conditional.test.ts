import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ifRange, precondition, byteRange } from './conditional.ts';
import { httpDate } from './response.ts';

const etag = '"abc"';
const modified = Date.UTC(2026, 10, 15, 8, 30, 12) + 345;
const day = 86_400_000;
const since = (text: string) => precondition({ 'if-modified-since': text }, etag, modified);

test('a request without conditions gets the response', () => {
  assert.equal(precondition({}, etag, modified), 'go');
});

test('If-None-Match matches our ETag alone, in a list, weak, and as a star', () => {
  for (const field of ['"abc"', '"x", "abc"', 'W/"abc"', '"x",W/"abc" , "y"', '*', ' "abc" ', ',, "abc"']) {
    assert.equal(precondition({ 'if-none-match': field }, etag, modified), 'not-modified', field);
  }
});

test("If-None-Match with other ETags or malformed ones doesn't match", () => {
  for (const field of ['"abd"', 'abc', '"abc', '"x" "abc"', '', '**']) {
    assert.equal(precondition({ 'if-none-match': field }, etag, modified), 'go', field);
  }
});

test('If-None-Match overrides If-Modified-Since', () => {
  const headers = { 'if-none-match': '"other"', 'if-modified-since': httpDate(modified + day) };
  assert.equal(precondition(headers, etag, modified), 'go');
});

test('If-Modified-Since compares seconds', () => {
  assert.equal(since(httpDate(modified)), 'not-modified');
  assert.equal(since(httpDate(modified + day)), 'not-modified');
  assert.equal(since(httpDate(modified - 1000)), 'go');
});

test('obsolete date formats are accepted, other text is not', () => {
  assert.equal(since('Sunday, 15-Nov-26 08:30:12 GMT'), 'not-modified');
  assert.equal(since('Sun Nov 15 08:30:12 2026'), 'not-modified');
  assert.equal(since('2030-01-01'), 'go');
  assert.equal(since('tomorrow 2099'), 'go');
});

test('If-Match needs our ETag and a strong comparison', () => {
  assert.equal(precondition({ 'if-match': '"abc"' }, etag, modified), 'go');
  assert.equal(precondition({ 'if-match': '*' }, etag, modified), 'go');
  assert.equal(precondition({ 'if-match': 'W/"abc"' }, etag, modified), 'failed');
  assert.equal(precondition({ 'if-match': '"other"' }, etag, modified), 'failed');
});

test('If-Unmodified-Since fails if ours is newer, and applies only without If-Match', () => {
  const before = httpDate(modified - day);
  assert.equal(precondition({ 'if-unmodified-since': before }, etag, modified), 'failed');
  assert.equal(precondition({ 'if-unmodified-since': httpDate(modified) }, etag, modified), 'go');
  assert.equal(precondition({ 'if-unmodified-since': before, 'if-match': '"abc"' }, etag, modified), 'go');
});

test('dates in the request are ignored if the response has none', () => {
  assert.equal(precondition({ 'if-modified-since': httpDate(modified) }, etag, null), 'go');
});

test('If-Range matches only our strong ETag and our exact date', () => {
  assert.equal(ifRange(undefined, etag, modified), true);
  assert.equal(ifRange('"abc"', etag, modified), true);
  assert.equal(ifRange('W/"abc"', etag, modified), false);
  assert.equal(ifRange('"other"', etag, modified), false);
  assert.equal(ifRange(httpDate(modified), etag, modified), true);
  assert.equal(ifRange(httpDate(modified + 1000), etag, modified), false);
  assert.equal(ifRange('nonsense', etag, modified), false);
});

test('no header value throws or takes long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      precondition({ 'if-none-match': text, 'if-match': text, 'if-modified-since': text }, etag, modified);
      ifRange(text, etag, modified);
    }),
  );
  precondition({ 'if-none-match': '"'.repeat(16_000) }, etag, modified);
  precondition({ 'if-none-match': ' '.repeat(16_000) }, etag, modified);
});

test('a range with both ends, an open one and a suffix', () => {
  assert.deepEqual(byteRange('bytes=0-499', 1000), { start: 0, end: 499 });
  assert.deepEqual(byteRange('bytes=500-', 1000), { start: 500, end: 999 });
  assert.deepEqual(byteRange('bytes=-200', 1000), { start: 800, end: 999 });
  assert.deepEqual(byteRange('Bytes= 1-1 ', 1000), { start: 1, end: 1 });
});

test('an end past the end is clamped, and a long suffix is the full file', () => {
  assert.deepEqual(byteRange('bytes=900-5000', 1000), { start: 900, end: 999 });
  assert.deepEqual(byteRange('bytes=-5000', 1000), { start: 0, end: 999 });
  assert.deepEqual(byteRange(`bytes=0-${'9'.repeat(400)}`, 1000), { start: 0, end: 999 });
});

test('a start past the end, or an empty suffix, is unsatisfiable', () => {
  assert.equal(byteRange('bytes=1000-', 1000), 'unsatisfiable');
  assert.equal(byteRange('bytes=5000-6000', 1000), 'unsatisfiable');
  assert.equal(byteRange('bytes=-0', 1000), 'unsatisfiable');
});

test('several ranges, other units and malformed values are ignored', () => {
  for (const field of [
    undefined,
    'bytes=0-1,5-6',
    'lines=1-2',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'bytes 0-1',
    '',
  ]) {
    assert.equal(byteRange(field, 1000), 'full', String(field));
  }
});

test('the range always lies inside the file', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n }),
      fc.bigInt({ min: 0n }),
      fc.integer({ min: 1, max: 5000 }),
      (first, last, size) => {
        const range = byteRange(`bytes=${first}-${last}`, size);
        if (typeof range === 'string') return;
        assert.ok(range.start >= 0 && range.start <= range.end && range.end < size);
      },
    ),
  );
});
