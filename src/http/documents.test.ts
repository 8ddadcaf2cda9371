import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getDocument } from './documents.ts';
import { contextWith, fakeLookup, request } from './testing.ts';

test('requests that waited for the same document are answered in different turns of the event loop', async () => {
  const context = contextWith(fakeLookup().lookup);
  const generated = Promise.withResolvers<{ type: string; body: string }>();
  let turn = 0;
  const count = () => {
    turn++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const turns: number[] = [];
  const waiting = Array.from({ length: 20 }, async () => {
    const { status } = await getDocument(request('/openapi.json'), () => generated.promise, context);
    assert.equal(status, 200);
    turns.push(turn);
  });
  generated.resolve({ type: 'application/json', body: '{}' });
  await Promise.all(waiting);
  clearImmediate(counting);
  assert.ok(new Set(turns).size >= 19, `answered in ${new Set(turns).size} turns`);
});
