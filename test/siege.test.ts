// lane: drill
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAttacks } from '../tools/drill/siege-clients.ts';
import { longWorkAttacks } from '../tools/drill/siege-long-work.ts';
import { sourceAttacks } from '../tools/drill/siege-sources.ts';
import type { Attack } from '../tools/drill/siege-target.ts';
import { run } from '../tools/drill/siege.ts';

/** `npm run drill -- siege` also checks memory and response times, which depend on the machine. */
async function assertSurvives(attacks: readonly Attack[]): Promise<void> {
  const only = (attack: Attack) => attacks.includes(attack);
  const { failures } = await run({ short: true, measure: false, only });
  assert.deepEqual(failures, []);
}

test('a hostile source neither stops the service nor keeps other clients out', () =>
  assertSurvives(sourceAttacks));

test('a hostile client neither stops the service nor keeps other clients out', () =>
  assertSurvives(clientAttacks));

test('many networks with batches and long lists keep no other client out', () =>
  assertSurvives(longWorkAttacks));
