import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { sources } from '../makers/index.ts';
import type { TimedOutcome } from './ask.ts';
import { openOutcomes } from './outcomes.ts';

const MINUTE_MS = 60_000;
const [source] = sources as [(typeof sources)[number]];
const FAILED: TimedOutcome = { kind: 'failed', why: 'timeout', ms: 1 };
const REFUSED: TimedOutcome = { kind: 'refused', why: 'blocked', ms: 1 };
const PAUSED: TimedOutcome = { kind: 'failed', why: 'paused', ms: 1 };
/** The host is paused for everybody. */
const REFUSES_ALL: TimedOutcome = { kind: 'refused', why: 'paused', retryAfterMs: 61_000, ms: 1 };
const NONE: TimedOutcome = { kind: 'none', why: 'no', ms: 1 };
const OUR_FAILURE: TimedOutcome = { kind: 'failed', why: 'no-network', ms: 1 };

/** Records outcomes at given minutes, and returns what is logged as a warning. */
function setUp() {
  let minute = 0;
  const warnings: string[] = [];
  const unsent: string[] = [];
  const rests: (number | 'responded')[] = [];
  const metrics = createMetrics();
  const record = openOutcomes({
    outages: { noteUnsent: (id) => void unsent.push(id) },
    store: { countSourceRequest: async () => {} },
    switches: { rest: () => void rests.push(minute), responded: () => void rests.push('responded') },
    metrics,
    log: createLog('warn', (line) => {
      const { message, source: id } = JSON.parse(line) as { message: string; source: string };
      warnings.push(`${minute} ${id} ${message}`);
    }),
    now: () => minute * MINUTE_MS,
  });
  const at = (time: number, outcome: TimedOutcome) => {
    minute = time;
    record(source, outcome);
  };
  const isFailing = () => metrics.text().includes(`monroney_source_failing{source="${source.id}"} 1\n`);
  return { at, warnings, unsent, rests, isFailing };
}

test('a source that has failed for ten minutes is logged once, and again when it responds', () => {
  const { at, warnings, isFailing } = setUp();
  for (let minute = 1; minute < 11; minute++) at(minute, minute % 2 ? FAILED : REFUSED);
  assert.deepEqual(warnings, []);
  assert.ok(!isFailing());
  for (const minute of [11, 12, 30]) at(minute, PAUSED);
  assert.deepEqual(warnings, [`11 ${source.id} source: has failed for ten minutes`]);
  assert.ok(isFailing());
  for (const minute of [40, 41]) at(minute, NONE);
  assert.deepEqual(warnings.slice(1), [`40 ${source.id} source: responds again`]);
  assert.ok(!isFailing());
  at(50, FAILED);
  at(59, FAILED);
  assert.equal(warnings.length, 2, 'ten minutes count anew');
  at(60, FAILED);
  assert.equal(warnings.length, 3);
});

test('a response in between, a failure of ours or a pause alone is no reason for a warning', () => {
  const { at, warnings } = setUp();
  at(0, FAILED);
  at(5, NONE);
  at(11, FAILED);
  at(12, { kind: 'failed', why: 'wrong-vin', ms: 1 });
  for (const minute of [20, 31]) at(minute, OUR_FAILURE);
  for (const minute of [40, 51]) at(minute, PAUSED);
  assert.deepEqual(warnings, []);
});

test('only requests that a failure of ours kept from being sent are noted as such', () => {
  const { at, unsent } = setUp();
  for (const outcome of [NONE, FAILED, REFUSED, PAUSED]) at(1, outcome);
  assert.deepEqual(unsent, []);
  at(2, OUR_FAILURE);
  assert.deepEqual(unsent, [source.id]);
});

test('a source rests when its host is paused for all because it refuses us, after half an hour without a response', () => {
  const { at, rests } = setUp();
  for (let minute = 1; minute < 30; minute++) at(minute, minute % 2 ? REFUSED : REFUSES_ALL);
  at(31, REFUSED);
  // Not if one client alone is refused, nor if the source failed, which is no refusal.
  at(32, { ...REFUSES_ALL, retryAfterMs: 60_000 });
  at(33, { ...REFUSES_ALL, kind: 'failed' });
  assert.deepEqual(rests, []);
  at(34, REFUSES_ALL);
  assert.deepEqual(rests, [34]);
  at(35, NONE);
  at(36, REFUSED);
  at(65, REFUSES_ALL);
  assert.deepEqual(rests, [34, 'responded'], 'half an hour counts anew');
  for (let minute = 100; minute < 200; minute += 10) at(minute, FAILED);
  assert.deepEqual(rests, [34, 'responded']);
});
