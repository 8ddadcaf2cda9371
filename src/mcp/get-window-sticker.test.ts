import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORD, fakeLookup, held, runTool } from '../../test/fake-lookup.ts';

test('without a service, links are left out and the PDF is a resource', async () => {
  const fake = fakeLookup({ findings: { [FORD]: held(FORD) } });
  const { text, data, content } = await runTool(
    'get_window_sticker',
    { vin: FORD },
    { ...fake, baseUrl: null },
  );
  const { pdf, page, bytes } = data.windowSticker as Record<string, unknown>;
  assert.deepEqual([pdf, page, bytes], [undefined, undefined, 4_321]);
  assert.equal((content[1] as { uri: string }).uri, `vin://${FORD}/sticker.pdf`);
  assert.match(
    text,
    new RegExp(`\nPDF: the resource vin://${FORD}/sticker.pdf, or run: monroney get ${FORD}\n`),
  );
  assert.doesNotMatch(text, /http|Page/);
});
