import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefersMarkdown } from './respond.ts';

const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

test('clients that prefer Markdown to HTML get it, browsers and clients without a preference get HTML', () => {
  for (const accept of [
    'text/markdown',
    'TEXT/Markdown; charset=utf-8',
    'text/html ; q=0.8 , text/markdown ; q=0.9',
    'text/markdown, text/html, */*',
    'text/html;q=0.8, text/markdown',
    'text/plain, text/markdown;q=0.3',
  ])
    assert.equal(prefersMarkdown(accept), true, accept);
  for (const accept of [
    undefined,
    '',
    '*/*',
    CHROME,
    'text/html',
    'application/json',
    'text/html, text/markdown',
    'text/markdown;q=0',
    'text/markdown;q=0.5, text/html',
  ])
    assert.equal(prefersMarkdown(accept), false, accept);
});
