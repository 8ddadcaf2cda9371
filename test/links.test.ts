import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crawl } from './crawl.ts';
import { serviceOfFile } from './simulated.ts';

/** Crawls the entire site and checks that every link works. */

const BASE = 'http://labels.example';
const service = await serviceOfFile({ BASE_URL: BASE, SOURCE_ORIGIN: 'http://127.0.0.1:9' });

test('no link is broken, and every anchor exists on its page', async () => {
  const { linkedFrom, bodies, broken } = await crawl(service, BASE);
  assert.deepEqual(broken, []);
  assert.ok(linkedFrom.size > 120, `only ${linkedFrom.size} URLs were found`);
  for (const expected of [
    '/makes/kia',
    '/docs/limits.md',
    '/errors/still-asking',
    '/schemas/label.json',
    '/compare',
    '/read',
  ]) {
    assert.ok(linkedFrom.has(expected), `nothing links to ${expected}`);
  }
  for (const [path, body] of bodies) {
    for (const [, anchor] of body.matchAll(/href="#([^"]+)"/g)) {
      assert.match(body, new RegExp(`\\bid="${anchor}"`), `${path}#${anchor}`);
    }
  }
});
