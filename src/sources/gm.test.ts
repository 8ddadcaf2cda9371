import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gm } from './gm.ts';

const none = (text: string) => gm.none.some((pattern) => pattern.test(text));

test('error code 1001 means none, another code does not', () => {
  assert.ok(none('{"errorCode":1001,"errorMessage":"…"}'));
  assert.ok(!none('{"errorCode":10010,"errorMessage":"…"}'));
  assert.ok(!none('{"errorCode":5000,"errorMessage":"Service unavailable"}'));
});

test('zero bytes decide nothing at General Motors', () => {
  assert.equal(gm.empty, 'undecided');
});

test('it is asked with no headers of a browser’s', () => {
  assert.equal(gm.headers, undefined);
});
