import assert from 'node:assert/strict';
import test from 'node:test';
import { createSeenFilter } from './seen-filter.ts';

test('a text is recognized the second time', () => {
  const seen = createSeenFilter(1024);
  assert.equal(seen('1C6SRFFT4TN900000'), false);
  assert.equal(seen('1C6SRFFT4TN900001'), false);
  assert.equal(seen('1C6SRFFT4TN900000'), true);
});

test('old texts are mostly forgotten', () => {
  const seen = createSeenFilter(64);
  const texts = Array.from({ length: 1000 }, (_, n) => `text ${n}`);
  for (const text of texts) seen(text);
  assert.ok(texts.filter((text) => seen(text)).length < 100);
});
