import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBundled } from '@monroney/vin';
import { REASONS } from '../http/problems.ts';
import { sources } from '../makers/index.ts';
import type { Finding } from './finding.ts';
import { codeOf, stickerKind, stickerProblem, vinResponse } from './finding-response.ts';
import { StickerReason } from './schemas.ts';

const vin = '1FMUK8DH0TG000000';
const decoded = loadBundled().decode(vin);
const ford = sources.find(({ id }) => id === 'ford')!;
const found = (finding: Finding) => ({ vin, decoded, source: ford, finding, specimen: false });
const failed = (why: string): Finding => ({ state: 'failed', why, retryAfter: 30 });

const findings: Record<StickerReason, Finding> = {
  'make-not-supported': { state: 'no-source' },
  'no-label': { state: 'none', why: '', until: 0 },
  withdrawn: { state: 'withdrawn', reason: 'asked for', since: 1 },
  'source-off': { state: 'off', reason: null, since: null },
  'source-failed': failed('timeout'),
  'source-refused': { state: 'refused', why: '', retryAfter: 30 },
  'not-asked': { state: 'not-asked' },
  'still-asking': { state: 'asking', since: 0, retryAfter: 2 },
  busy: failed('busy'),
  network: failed('no-network'),
  'ask-limit': { state: 'limited', retryAfter: 40 },
  'store-unavailable': failed('store'),
  internal: failed('internal'),
};

test('the lookup and the problem document agree for every reason', () => {
  for (const reason of StickerReason.options) {
    const finding = findings[reason];
    assert.equal(codeOf(finding), reason);
    const { windowSticker } = vinResponse(found(finding), 'http://labels.example');
    assert.equal(windowSticker.reason, reason);
    assert.equal(windowSticker.retryAfter, 'retryAfter' in finding ? finding.retryAfter : undefined);
    const problem = stickerProblem(found(finding))!;
    assert.equal(problem.status, REASONS[problem.reason].status, reason);
    assert.ok(problem.detail.length > 20, reason);
    // Clients treat a 404 or 451 as final.
    assert.equal([404, 451].includes(problem.status), !windowSticker.pdf, reason);
  }
});

test('a label from a dealer platform is a copy, one from the manufacturer an original', () => {
  const copies = sources.filter((source) => stickerKind({ source }) === 'dealer-copy');
  assert.deepEqual(new Set(copies.map(({ id }) => id)), new Set(['nissan', 'toyota']));
});
