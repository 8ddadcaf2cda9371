import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { registryEntry } from '../../src/site/discovery/agent-cards.ts';
import { goModule } from '../third-party.ts';

/** Validates `server.json` with the registry's schema. */

const REGISTRY = 'github.com/modelcontextprotocol/registry@v1.8.7';

test("an instance's server.json matches the registry's schema", (t) => {
  const registry = goModule(REGISTRY);
  if (!registry) return t.skip('skipped: no go');
  const entry = registryEntry('https://labels.example') as { $schema: string; name: string };
  const [version] = /\d{4}-\d\d-\d\d/.exec(entry.$schema)!;
  const schema = readFileSync(join(registry, 'internal/validators/schemas', `${version}.json`), 'utf8');
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  const valid = ajv.compile(JSON.parse(schema) as object);
  assert.ok(valid(entry), JSON.stringify(valid.errors, null, 1));
  // The schema rejects invalid documents; otherwise this would prove nothing.
  for (const invalid of [{ name: 'no namespace' }, { description: 'x'.repeat(101) }, { version: undefined }])
    assert.ok(!valid({ ...entry, ...invalid }), JSON.stringify(invalid));
});
