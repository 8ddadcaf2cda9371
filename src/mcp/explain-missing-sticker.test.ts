// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../lookup/finding.ts';
import { FORD, fakeLookup, held, runTool } from '../../test/fake-lookup.ts';

const explained = (finding: Finding) =>
  runTool('explain_missing_sticker', { vin: FORD }, fakeLookup({ findings: { [FORD]: finding } }));

test('every finding has a reason, and only failures say when to retry', async () => {
  const cases: [Finding, string, number | null][] = [
    [held(FORD), 'available', null],
    [{ state: 'none', why: 'page', until: 0 }, 'no-label', null],
    [{ state: 'withdrawn', reason: 'asked by the owner', since: 0 }, 'withdrawn', null],
    [{ state: 'off', reason: null, since: null }, 'source-off', null],
    [{ state: 'refused', why: 'blocked', retryAfter: 60 }, 'try-again', 60],
    [{ state: 'failed', why: 'timeout', retryAfter: 30 }, 'try-again', 30],
    [{ state: 'asking', since: 0, retryAfter: 5 }, 'try-again', 5],
  ];
  for (const [finding, reason, retryAfter] of cases) {
    const { data, text, isError } = await explained(finding);
    assert.deepEqual([data.reason, data.retryAfter, isError], [reason, retryAfter, undefined], finding.state);
    assert.match(text, /^2026 Ford Explorer/);
    for (const step of data.nextSteps as string[]) assert.ok(text.includes(`\n- ${step}`), finding.state);
  }
});
