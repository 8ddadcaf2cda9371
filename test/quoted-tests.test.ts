import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Patterns for the test titles in a file; a template placeholder matches anything. */
function titlesIn(source: string): RegExp[] {
  const plain = [...source.matchAll(/\btest\(\s*'((?:[^'\\\n]|\\.)*)'/g)].map(([, name]) => [name!]);
  const templates = [...source.matchAll(/\btest\(\s*`/g)].map(({ 0: start, index }) =>
    partsOf(source, index + start.length),
  );
  return [...plain, ...templates].map(
    (parts) => new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.*')}$`),
  );
}

/** The literal parts of a template string; its placeholders may contain templates themselves. */
function partsOf(source: string, from: number): string[] {
  const parts = [''];
  let depth = 0;
  for (let index = from; index < source.length && (depth > 0 || source[index] !== '`'); index++) {
    if (source.startsWith('${', index - 1)) depth++;
    else if (source[index] === '}' && depth > 0) {
      if (--depth === 0) parts.push('');
    } else if (depth === 0 && !source.startsWith('${', index)) parts.push(parts.pop()! + source[index]);
  }
  return parts;
}

test('every test quoted in docs/security.md exists', () => {
  const quotedTests = [
    ...readFileSync(pathOf('docs/security.md'), 'utf8').matchAll(/^- `([^`]+\.test\.ts)`: (.+)$/gm),
  ];
  assert.ok(quotedTests.length > 40, `only ${quotedTests.length} tests are quoted`);
  for (const [, path = '', name = ''] of quotedTests) {
    assert.ok(existsSync(pathOf(path)), path);
    const exists = titlesIn(readFileSync(pathOf(path), 'utf8')).some((pattern) => pattern.test(name));
    assert.ok(exists, `${path} has no test "${name}"`);
  }
});

test('every file of a test that a document names exists', () => {
  for (const document of ['test/README.md', 'docs/reliability.md', 'docs/security.md']) {
    const names = [
      ...readFileSync(pathOf(document), 'utf8').matchAll(/`((?:src|test|packages)\/[^`]+\.ts)`/g),
    ];
    assert.ok(names.length > 10, document);
    for (const [, path = ''] of names) assert.ok(existsSync(pathOf(path)), `${document}: ${path}`);
  }
});
