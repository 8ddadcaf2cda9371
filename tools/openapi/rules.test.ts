import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../../src/openapi-schemas.ts';
import { startService, type Service } from '../../test/service.ts';
import { rules } from './rules.ts';

let service: Service;
let document: JsonObject;
before(async () => {
  service = await startService();
  document = await service.json<JsonObject>('/openapi.json');
});
after(() => service.close());

test('there are twenty rules or more, each of its own', () => {
  assert.ok(rules.length >= 20);
  assert.equal(new Set(rules.map(({ name }) => name)).size, rules.length);
});

for (const { name, check, spoil } of rules) {
  test(`in our document ${name}; one where it is not so is caught`, () => {
    assert.deepEqual(check(document), []);
    const other = structuredClone(document);
    spoil(other);
    assert.notDeepEqual(check(other), []);
  });
}
