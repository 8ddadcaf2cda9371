import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hyundai } from './hyundai.ts';

test('its answer for an unknown VIN means none, once it is out of base64', () => {
  const answer = Buffer.from(
    'eyJlcnJvciI6Ik5FVyBkb2N1bWVudCBub3QgZm91bmQgZm9yIFZJTiBYIiwic3RhdHVzQ29kZSI6NDA0fQ==',
    'base64',
  );
  assert.ok(hyundai.none.every((pattern) => pattern.test(answer.toString())));
});

test('the page that keeps servers out is known', () => {
  assert.ok(hyundai.refused?.some((pattern) => pattern.test('<h1>Sorry, you have been blocked</h1>')));
});
