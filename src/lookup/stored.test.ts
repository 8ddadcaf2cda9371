import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sources } from '../makers/index.ts';
import type { Miss, SourceSwitch } from '../store/store.ts';
import { findingOfMiss, mergeNone, remainingSources, unavailableFinding } from './stored.ts';

const [hyundai, genesis] = ['hyundai', 'genesis'].map((id) => sources.find((source) => source.id === id)!);
const both = [hyundai!, genesis!];
const NOW = 1_000_000;

/** The sources' states by id: off, or the milliseconds one rests. */
function statusWith(states: Record<string, 'off' | number> = {}) {
  const switches = {
    state: (source: string): SourceSwitch => ({
      source,
      state: states[source] === 'off' ? 'off' : states[source] ? 'resting' : 'on',
      reason: states[source] === 'off' ? 'by hand' : null,
      since: 5,
    }),
    restingMs: (source: string) => (typeof states[source] === 'number' ? states[source] : 0),
  };
  return { switches, now: () => NOW };
}

const miss = (source: string, kind: Miss['kind'], until = NOW + 60_000): Miss => ({
  vin: '5NMJE3AE5NH000000',
  source,
  kind,
  why: 'x',
  at: NOW,
  until,
});

test('a stored failure applies until it expires, unless its source was switched off since', () => {
  assert.deepEqual(findingOfMiss(both, miss('hyundai', 'failed', NOW + 1500), statusWith()), {
    state: 'failed',
    why: 'x',
    retryAfter: 2,
    sourceId: 'hyundai',
  });
  assert.equal(findingOfMiss(both, miss('hyundai', 'failed'), statusWith({ hyundai: 'off' })), null);
});

test('if all sources rest, the one that is back first is named', () => {
  assert.deepEqual(unavailableFinding(both, statusWith({ hyundai: 90_000, genesis: 30_500 })), {
    state: 'refused',
    why: 'resting',
    retryAfter: 31,
    sourceId: 'genesis',
  });
  assert.equal(unavailableFinding(both, statusWith({ hyundai: 90_000 })), null);
});

test('the merged "none" of two sources expires with the first', () => {
  const one = miss('hyundai', 'none', NOW + 10);
  assert.equal(mergeNone(null, one), one);
  const two = mergeNone(one, miss('genesis', 'none', NOW + 99));
  assert.deepEqual([two.source, two.until], ['hyundai genesis', NOW + 10]);
  assert.deepEqual(remainingSources(both, two), []);
  assert.deepEqual(remainingSources(both, one), [genesis]);
  assert.deepEqual(remainingSources(both, miss('hyundai', 'failed')), both);
});
