import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../tools/drill/siege.ts';

/**
 * Ten times the promised bounds, which is still far below what these attacks once took (3 to 27 s without an answer);
 * `npm run drill -- siege` holds the service to the bounds themselves.
 */
const PATIENCE = 10;
const HOSTILE_SOURCE = new Set(['3', '4', '5', '6', '13']);
const HOSTILE_CLIENT = new Set(['1', '2', '+']);

async function holds(numbers: ReadonlySet<string>): Promise<void> {
  const only = ({ number }: { number: string }) => numbers.has(number);
  const { wrong } = await run({ short: true, patience: PATIENCE, only });
  assert.deepEqual(wrong, []);
}

test('a hostile source neither ends the service nor makes others wait', () => holds(HOSTILE_SOURCE));

test('a hostile client neither ends the service nor makes others wait', () => holds(HOSTILE_CLIENT));
