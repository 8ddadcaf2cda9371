import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folded, markup } from './markdown.ts';

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

test('headings have ids, code has a copy button, tables scroll by keyboard', () => {
  assert.match(markup('## What it *means*, exactly'), /<h2 id="what-it-means-exactly">/);
  assert.match(markup('```sh\ncurl "x"\n```'), /data-copy="curl &quot;x&quot;"/);
  assert.match(markup('| a |\n|---|\n| b |'), /tabindex="0"><table><thead><tr><th scope="col">a<\/th>/);
  assert.equal(markup('`/a/<b>/`'), '<p><code>/<wbr />a/<wbr />&lt;b&gt;/</code></p>\n');
});

test('text has typographic apostrophes and quotes, code has not', () => {
  assert.equal(
    markup('The manufacturers\' cars aren\'t "rated": `it\'s "x"`'),
    '<p>The manufacturers’ cars aren’t “rated”: <code>it&#39;s &quot;x&quot;</code></p>\n',
  );
});

test('third-level sections are folded, one open at a time, without losing text', () => {
  const page = markup('# A\n\nB\n\n## C\n\n### D\n\nE\n\n### F\n\nG\n\n## H\n\nI');
  const html = folded(page);
  assert.equal(html.match(/<details name="d">/g)?.length, 2);
  assert.match(html, /<summary><h3 id="d">D<\/h3><span><\/span><\/summary>\s*<p>E<\/p>\s*<\/details>/);
  assert.match(html, /<p>G<\/p>\s*<\/details><\/div><h2 id="h">H<\/h2>/);
  assert.equal(html.replace(/<\/?(?:div|details|summary|span)[^>]*>/g, ''), page);
  assert.equal(folded(markup('# A\n\n## B')), markup('# A\n\n## B'));
});
