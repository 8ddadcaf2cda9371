import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sources } from '../makers/index.ts';
import { sourceForMake } from '../makers/maker.ts';
import { UNCOVERED, whomToAsk } from './uncovered-makes.ts';

test('a make with a source is not among those without one', () => {
  for (const { make } of UNCOVERED)
    assert.equal(sourceForMake(make, sources)?.id, undefined, `delete ${make}`);
});

test('nobody is sent to a dealer of a make that sells without dealers', () => {
  assert.match(whomToAsk('Tesla'), /^Ask Tesla, which sells without dealers/);
  assert.match(whomToAsk('Honda'), /^Ask a Honda dealer\./);
  assert.match(whomToAsk('Acura'), /^Ask an Acura dealer\./);
});
