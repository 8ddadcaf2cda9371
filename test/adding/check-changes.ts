/** Checks that what `docs/changing.md` adds is there: a reader, a field, a route, a tool, a page and a document. */
import assert from 'node:assert/strict';
import { labelFacts } from '@monroney/label/facts';
import { PAGE_TEMPLATES } from '../../src/pages/index.ts';
import { readWords } from '../drawn-label.ts';
import { request, call } from '../mcp-client.ts';
import { startService } from '../service.ts';

const { label } = readWords('Mazda', ['Exterior Color: Coral Red', 'Tires: 225/55R19']);
assert.ok(label);
assert.match(JSON.stringify(labelFacts(label)), /"name":"Tires","path":"tires","words":"225\/55R19"/);

const service = await startService();
try {
  const text = async (path: string) => (await service.get(path)).text();
  const document = await text('/openapi.json');
  assert.match(document, /"tires"/);
  assert.match(document, /"\/api\/v1\/vin\/\{vin\}\/glovebox"/);
  const glovebox = await service.json<{ gloves: number }>('/api/v1/vin/1FMUK8DH0TG000000/glovebox');
  assert.equal(glovebox.gloves, 2);

  assert.match(await text('/glovebox'), /The manual, mostly/);
  assert.match(await text('/sitemap.xml'), /\/glovebox<\/loc>/);
  assert.ok(PAGE_TEMPLATES.includes('/glovebox'));
  assert.match(await text('/docs/gloveboxes'), /it was on the window/);
  assert.match(await text('/docs/gloveboxes.md'), /^# Gloveboxes/m);

  assert.match(await text('/llms.txt'), /open_glovebox: Opens the glovebox of one car\./);
  const { result } = await request<{ tools: { name: string }[] }>(service, '2025-11-25', 'tools/list');
  assert.ok(result!.tools.some(({ name }) => name === 'open_glovebox'));
  assert.match(
    JSON.stringify(await call(service, 'open_glovebox', { vin: '1FMUK8DH0TG000000' })),
    /Two gloves/,
  );
} finally {
  await service.close();
}
process.stdout.write('ok\n');
