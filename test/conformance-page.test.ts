import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** What `npm run test:mcp` allows to fail. */
const notOffered = JSON.parse(
  readFileSync(new URL('mcp/not-offered.json', import.meta.url), 'utf8'),
) as Record<'2025' | '2026-07-28', { checks: string[] }[]> & { notScored: { scenarios: string }[] };

test('the page on conformance names every scenario that fails because we do not offer it, and no other', () => {
  const page = readFileSync(new URL('../docs/site/conformance.md', import.meta.url), 'utf8');
  const [, section = ''] = /^## What the MCP suites report as failed\n([^]*?)^## /m.exec(page) ?? [];
  const named = section
    .split('\n')
    .filter((row) => row.startsWith('| 20'))
    .flatMap((row) => Array.from(row.split('|')[2]!.matchAll(/`([^`]+)`/g), ([, name]) => name!));
  assert.ok(named.length > 0);
  const failing = [
    ...[...notOffered['2025'], ...notOffered['2026-07-28']].flatMap(({ checks }) =>
      checks.map((check) => check.split('/')[0]!),
    ),
    ...notOffered.notScored.map(({ scenarios }) => scenarios),
  ];
  const matches = (name: string, scenario: string): boolean =>
    name.endsWith('*') ? scenario.startsWith(name.slice(0, -1)) : scenario === name;
  for (const scenario of failing)
    assert.ok(
      named.some((name) => matches(name, scenario)),
      scenario,
    );
  for (const name of named)
    assert.ok(
      failing.some((scenario) => matches(name, scenario)),
      name,
    );
});
