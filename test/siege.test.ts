import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../tools/drill/siege.ts';

/**
 * Allows ten times the documented limits, still far below what these attacks once caused (3 to 27 s without a
 * response). `npm run drill -- siege` checks the limits themselves.
 */
const TIME_FACTOR = 10;
const HOSTILE_SOURCE = new Set(['3', '4', '5', '6', '13']);
const HOSTILE_CLIENT = new Set(['1', '2', '+']);

async function assertSurvives(numbers: ReadonlySet<string>): Promise<void> {
  const only = ({ number }: { number: string }) => numbers.has(number);
  const { failures } = await run({ short: true, timeFactor: TIME_FACTOR, only });
  assert.deepEqual(failures, []);
}

test('a hostile source neither crashes the service nor delays other clients', () =>
  assertSurvives(HOSTILE_SOURCE));

test('a hostile client neither crashes the service nor delays other clients', () =>
  assertSurvives(HOSTILE_CLIENT));
