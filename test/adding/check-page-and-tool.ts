/** Checks that the page `/glovebox` and the tool `open_glovebox` are listed everywhere. */
import assert from 'node:assert/strict';
import { PAGE_TEMPLATES } from '../../src/pages/index.ts';
import { request, call } from '../mcp-client.ts';
import { startService } from '../service.ts';

const service = await startService();
try {
  const text = async (path: string) => (await service.get(path)).text();
  assert.equal(await text('/glovebox'), 'what is in the glovebox');
  assert.match(await text('/sitemap.xml'), /\/glovebox<\/loc>/);
  assert.ok(PAGE_TEMPLATES.includes('/glovebox'));
  assert.match(await text('/llms.txt'), /open_glovebox: Opens the glovebox\./);
  const { result } = await request<{ tools: { name: string }[] }>(service, '2025-11-25', 'tools/list');
  assert.ok(result!.tools.some(({ name }) => name === 'open_glovebox'));
  assert.match(JSON.stringify(await call(service, 'open_glovebox', {})), /Two gloves/);
  process.stdout.write('ok\n');
} finally {
  await service.close();
}
