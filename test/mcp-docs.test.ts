import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { tools } from '../src/mcp/tools.ts';

test('the sentences that decide between the tools are those of the published descriptions', () => {
  const page = readFileSync(new URL('../docs/tools.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (?<question>[^|]+[?.]) \| `(?<name>\w+)` \| (?<sentence>[^|]+) \|$/gm)];
  assert.deepEqual(
    rows.map(({ groups }) => groups!.name!).toSorted(),
    tools.map(({ name }) => name).toSorted(),
  );
  for (const { groups } of rows) {
    const { description } = tools.find(({ name }) => name === groups!.name)!;
    assert.ok(description.includes(groups!.sentence!.trim()), groups!.name);
    const others = tools.filter(({ name }) => name !== groups!.name);
    assert.ok(!others.some((other) => other.description.includes(groups!.sentence!.trim())));
  }
});
