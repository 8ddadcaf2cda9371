// lane: drill
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { reportedLines } from '../../test/linting.ts';
import { problemOf } from './patterns.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const SLOW = {
  'backtracking into itself': /^(?:a+)+$/,
  'adjacent repetitions': /(?:^|,)\s*br\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i,
  'a new start at each character': /\s+$/,
  'a new start at each opening': /<Contents>.*?<\/Contents>/gs,
  'a new start at each word': /\bINTERIOR\s*:.*$/i,
  'a backtracking prefix': /^(.*\b(?:VAN|WAGON))\s+(\S.*)$/,
};

for (const [what, { source, flags }] of Object.entries(SLOW))
  test(`finds ${what}: ${source}`, () => {
    assert.notEqual(problemOf(source, flags), null);
  });

test('accepts linear patterns', () => {
  for (const { source, flags } of [
    /(?<!\s)\s+$/,
    /<[^<>]*>/g,
    /^[\w.]+$/,
    /[([][^)\]]{0,40}[)\]]/,
    /`([^`]+)`/g,
    /(?:^|,)\s*br\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i,
  ])
    assert.equal(problemOf(source, flags), null, source);
});

test('the linter checks literals and patterns built from constants, and rejects those built from anything else', () => {
  const text = String.raw`
    const SPACES = '\s+';
    const SLOW = /\s+/;
    export const literal = 'a'.replace(/\s+$/, '');
    export const text = new RegExp(SPACES + '$');
    export const template = new RegExp(${'`${SPACES}$`'});
    export const source = RegExp(${'`${SLOW.source}$`'}, 'g');
    export const built = (name: string) => new RegExp(name);
    export const linear = new RegExp(${'`^${SPACES}$`'});
    // oxlint-disable-next-line patterns/linear -- At most 10 characters.
    export const excused = /\s+$/.test('a');`;
  assert.deepEqual(reportedLines('patterns.ts', 'patterns/linear', text), [4, 5, 6, 7, 8]);
});

test('every exception from our rules has a reason', () => {
  const files = '{src,packages/*/{src,test},bin,test,tools}/**/*.{ts,mts,js,mjs}';
  const without = globSync(files, { cwd: ROOT, exclude: ['**/node_modules/**'] }).filter((file) =>
    /-disable\S* (?:patterns\/linear|tests\/no-clock)(?! -- \S)/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  assert.deepEqual(without, []);
});
