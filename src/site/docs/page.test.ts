import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { placeholderFiller } from './page.ts';

const limits = readFileSync(new URL('../../../docs/site/limits.md', import.meta.url), 'utf8');
const fill = (limit: { requests: number; seconds: number } | null) =>
  placeholderFiller({ baseUrl: 'https://a.example', specimen: '', security: '', limit, contactDays: 1 })(
    limits,
  );

test('the example of rate-limit headers has the limit of this instance', () => {
  const headers = (seconds: number) =>
    /^RateLimit-Policy: .*\nRateLimit: .*$/m.exec(fill({ requests: 50, seconds }))?.[0];
  assert.equal(headers(2), 'RateLimit-Policy: "default";q=50;w=2\nRateLimit: "default";r=49;t=2');
  assert.doesNotMatch(fill(null), /RateLimit/);
  assert.doesNotMatch(fill(null), /\{\{/);
});
