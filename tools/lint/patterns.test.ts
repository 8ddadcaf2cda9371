import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
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

/** The lines that the linter reports in a file with this text. */
function reported(text: string): number[] {
  const root = mkdtempSync(join(tmpdir(), 'monroney-patterns-'));
  try {
    const config = {
      jsPlugins: [join(ROOT, 'tools/lint/patterns.ts')],
      categories: { correctness: 'off' },
      rules: { 'patterns/linear': 'error' },
    };
    writeFileSync(join(root, '.oxlintrc.json'), JSON.stringify(config));
    writeFileSync(join(root, 'a.ts'), text);
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), ['--format', 'unix'], {
      cwd: root,
      encoding: 'utf8',
    });
    return Array.from(stdout.matchAll(/a\.ts:(\d+):/g), ([, line]) => Number(line)).sort((a, b) => a - b);
  } finally {
    rmSync(root, { recursive: true });
  }
}

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
  assert.deepEqual(reported(text), [4, 5, 6, 7, 8]);
});

test('every exception has a reason', () => {
  const without = globSync('{src,packages/*/src,bin}/**/*.{ts,mts,js,mjs}', { cwd: ROOT }).filter((file) =>
    /patterns\/linear(?! -- \S)/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  assert.deepEqual(without, []);
});
