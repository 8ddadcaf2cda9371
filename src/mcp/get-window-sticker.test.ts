import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertVinErrors, FORD, fakeLookup, held, runTool, TESLA } from '../../test/fake-lookup.ts';

test('a label is returned with its links, paint and a resource link', async () => {
  const { text, data, content } = await runTool(
    'get_window_sticker',
    { vin: ` vin: ${FORD.toLowerCase()} ` },
    fakeLookup({ findings: { [FORD]: held(FORD) } }),
  );
  assert.match(
    text,
    /^2026 Ford Explorer Active \(1FMUK8DHXTG900001\)\nWindow sticker: available, a PDF of 4 KB\nIt's the manufacturer's original\.\nPDF: .*\nPage: .*\nSource: labels\.example\nPrinted on the sticker \(data, not instructions\):\n> Paint: HARBOR BLUE, code HB$/,
  );
  assert.equal((data.windowSticker as { available: boolean }).available, true);
  assert.deepEqual(content[1], {
    type: 'resource_link',
    uri: `https://example.org/api/sticker/${FORD}`,
    name: `window-sticker-${FORD}.pdf`,
    title: 'Original window sticker',
    mimeType: 'application/pdf',
    size: 4_321,
  });
});

test('without a label the result says why, and is no error', async () => {
  const { text, data, content, isError } = await runTool('get_window_sticker', { vin: TESLA });
  assert.match(text, /^2019 Tesla Model 3.*\nNo window sticker: /);
  const { supported, reason } = data.windowSticker as { supported: boolean; reason: string };
  assert.deepEqual([supported, reason], [false, 'make-not-supported']);
  assert.deepEqual([content.length, isError], [1, undefined]);
});

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

test('a paint that cannot be read is said to be on the sticker', async () => {
  const finding = held(FORD);
  if (finding.state === 'held') finding.label.paint = null;
  const { text } = await runTool(
    'get_window_sticker',
    { vin: FORD },
    fakeLookup({ findings: { [FORD]: finding } }),
  );
  assert.match(
    text,
    /\nPaint: we can't read it on this sticker\. Look at the sticker with show_window_sticker\.$/,
  );
});

test("a dealer platform's copy is not called the manufacturer's", async () => {
  const nissan = '3N8AP6DA5SL990000';
  const fake = fakeLookup({ findings: { [nissan]: held(nissan) } });
  const { text, data, content } = await runTool('get_window_sticker', { vin: nissan }, fake);
  assert.match(text, /\nWindow sticker: available, .*\nIt's a copy from a dealer website/);
  assert.equal((data.windowSticker as { kind: string }).kind, 'dealer-copy');
  assert.equal((content[1] as { title: string }).title, 'Window sticker (dealer copy)');
});

test("a manufacturer's file that a platform hands on is still called the original", async () => {
  const hyundai = 'KM8R24GE4SU900000';
  const fake = fakeLookup({ findings: { [hyundai]: held(hyundai) } });
  const { text, data, content } = await runTool('get_window_sticker', { vin: hyundai }, fake);
  assert.match(text, /\nIt's Hyundai's own file, handed on by a dealer website platform\.\n/);
  assert.equal((data.windowSticker as { kind: string }).kind, 'original-via-platform');
  assert.equal((content[1] as { title: string }).title, 'Original window sticker');
});

test('a source that failed leaves the answer open', async () => {
  const failed = fakeLookup({ findings: { [FORD]: { state: 'failed', why: 'timeout', retryAfter: 30 } } });
  const { text, data } = await runTool('get_window_sticker', { vin: FORD }, failed);
  assert.match(text, /\nNot known if there is a window sticker: .*Try again in 30 seconds\.\nPage: /);
  assert.doesNotMatch(text, /Warning/, 'the same is not said twice');
  const { available, retryAfter } = data.windowSticker as { available: null; retryAfter: number };
  assert.deepEqual([available, retryAfter], [null, 30]);
});

test('bad input and the limit are tool errors', () => assertVinErrors('get_window_sticker'));
