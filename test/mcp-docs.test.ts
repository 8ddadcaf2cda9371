import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tools } from '../src/mcp/tools.ts';

test('the words that distinguish a tool from the others appear only in its own description', () => {
  for (const { name, selection } of tools) {
    const matching = tools.filter(({ description }) => description.includes(selection.decidingWords));
    assert.deepEqual(
      matching.map((tool) => tool.name),
      [name],
    );
  }
});
