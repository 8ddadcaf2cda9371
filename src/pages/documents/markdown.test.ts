import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markup } from './markdown.ts';

test('HTML in a file is escaped, never run', () => {
  assert.doesNotMatch(
    markup('<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b'),
    /<script|<img/,
  );
  assert.match(markup('<b>x</b>'), /&lt;b&gt;/);
});

test('only http, mailto and local links become links', () => {
  assert.equal(markup('[x](javascript:alert%281%29)'), '<p>x</p>\n');
  assert.match(markup('[x](/docs/limits)'), /<a href="\/docs\/limits">x<\/a>/);
});
