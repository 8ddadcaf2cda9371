/** Checks that every interface supports a maker: `node test/adding/check-maker.ts ID MAKE`. Prints `ok`, or throws. */
import { labelKind } from '../../src/makers/maker.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { capitalize, inWords } from '@monroney/label/lib/words';
import { makeSlug } from '../../src/lookup/coverage.ts';
import { makeCount, sources } from '../../src/makers/index.ts';
import { demoVin, startSimulator } from '../../tools/simulator/simulator.ts';
import { monroney } from '../command.ts';
import { request, call } from '../mcp-client.ts';
import { startService } from '../service.ts';

const [id = '', make = ''] = process.argv.slice(2);
const source = sources.find((candidate) => candidate.id === id);
assert.ok(source, id);

const simulator = await startSimulator();
const service = await startService({ SOURCE_ORIGIN: simulator.origin });
const serviceWithSourceOff = await startService({ SOURCE_ORIGIN: simulator.origin, SOURCES_OFF: id });
try {
  const text = async (path: string, from = service) => (await from.get(path)).text();
  const sticker = async (vin: string, from = service) =>
    (await from.json<{ windowSticker: Record<string, unknown> }>(`/api/v1/vin/${vin}`)).windowSticker;

  // The API: a label and a "none" from the simulator, and a source that is off.
  const label = demoVin(source, 'label');
  assert.equal((await sticker(label)).available, true);
  assert.equal((await sticker(demoVin(source, 'none'))).available, false);
  assert.equal((await sticker(demoVin(source, 'slow-label'), serviceWithSourceOff)).available, null);
  assert.match(await text(`/api/sticker/${label}`), /^%PDF-/);
  const reading = await service.json<{ readable: boolean; reason: string }>(`/api/v1/vin/${label}/label`);
  if (labelKind(source) === 'unread')
    assert.deepEqual([reading.readable, reading.reason], [false, 'not-read-yet']);

  // Tools.
  const covered = await call(service, 'list_covered_makes', { make });
  assert.equal((covered.structuredContent as { covered: boolean }).covered, true);
  const { result } = await request<{ tools: { name: string; description: string }[] }>(
    service,
    '2025-11-25',
    'tools/list',
  );
  const { description } = result!.tools.find(({ name }) => name === 'list_covered_makes')!;
  assert.ok(description.includes(`${inWords(makeCount)} makes`), description);

  // Documents and pages.
  assert.ok((await text('/status.json')).includes(`"${id}"`));
  assert.ok((await text('/llms.txt')).includes(make));
  assert.ok((await text('/openapi.json')).includes(`for ${inWords(makeCount)} makes`));
  const makes = await text('/makes');
  assert.ok(makes.includes(`${capitalize(inWords(makeCount))} makes publish`) && makes.includes(make));
  assert.ok((await text('/')).includes(make));
  assert.ok((await text(`/makes/${makeSlug(make)}`)).includes(source.whenMissing));
  if (labelKind(source) === 'unread')
    assert.ok((await text(`/makes/${makeSlug(make)}.md`)).includes('not read yet'));
  assert.equal((await service.get(`/window-sticker/${label}`)).status, 200);

  // The command, with a service and without one.
  for (const args of [
    ['makes', '--url', service.origin],
    ['makes', '--local'],
  ]) {
    const { out, code, err } = await monroney(args, { env: { DATA_DIR: serviceWithSourceOff.dataDir } });
    assert.equal(code, 0, err);
    assert.match(out, new RegExp(`^${make} +${id} `, 'm'));
  }

  assert.ok(readFileSync(new URL('../../README.md', import.meta.url), 'utf8').includes(make));
} finally {
  await service.close();
  await serviceWithSourceOff.close();
  await simulator.close();
}
process.stdout.write('ok\n');
