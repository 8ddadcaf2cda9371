import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reading } from '@monroney/label/reading/types';
import { readerVersionOf } from '@monroney/label/read-text';
import { specimenPdf } from '../src/lookup/specimens/index.ts';
import { labelOfTexts } from './label-of-texts.ts';
import { JEEP, startPages } from './page-service.ts';

/** Text from URLs and labels never becomes HTML. */

const { service, page } = await startPages();

const HOSTILE = `"><img src=x onerror=alert(1)></script><script>alert(2)</script>'&`;

test('a page escapes everything from the URL', async () => {
  const paths = [
    `/window-sticker/${encodeURIComponent(HOSTILE)}`,
    `/find?vin=${encodeURIComponent(HOSTILE)}`,
    `/compare?vins=${encodeURIComponent(HOSTILE)},${JEEP}`,
    `/unsubscribe?to=${encodeURIComponent(HOSTILE)}&key=${encodeURIComponent(HOSTILE)}`,
    `/${encodeURIComponent(HOSTILE)}`,
    '/window-sticker/%00%ff%E0%A4%A',
    `/window-sticker/${'A'.repeat(5000)}`,
    '/window-sticker/..%2f..%2fetc%2fpasswd',
  ];
  for (const path of paths) {
    const { status, text } = await page(path);
    assert.ok(status >= 200 && status < 500, `${path} ${status}`);
    assert.doesNotMatch(text, /<img src=x|<script>|onerror=alert\(1\)>/i, path);
  }
});

test('a link to unsubscribe can put no text on our page', async () => {
  const { text } = await page('/unsubscribe?to=Call%20555-0100%20now&key=wrong%20key');
  assert.doesNotMatch(text, /555-0100|wrong key/);
});

test('a page escapes everything from a label', async () => {
  const vin = '1C4RJHBR7TC000011';
  const make = 'Jeep';
  const { store, lookup } = service.runtime;
  const reader = readerVersionOf(make)!;
  const paint = { color: HOSTILE, code: HOSTILE };
  const label = await store.addLabel(
    { vin, make, source: 'stellantis', host: 'www.jeep.com', fetched: Date.UTC(2026, 10, 12), paint, reader },
    Buffer.concat([specimenPdf(JEEP), Buffer.from('\n% another car\n')]),
  );
  const text = (await lookup.text(label))!;
  const reading: Reading = {
    reader,
    readable: true,
    reason: null,
    vin,
    paint,
    label: labelOfTexts(HOSTILE),
    proof: { closes: false, reason: 'sum-differs', sum: 1, total: 1, difference: 5 },
  };
  await store.cache(label, 'reading', reading.reader, reading);
  await store.cache(label, 'text', String(text.version), text);
  for (const path of [`/window-sticker/${vin}?as=typed`, `/compare?vins=${vin},${JEEP}`]) {
    const { status, text: html } = await page(path);
    assert.equal(status, 200);
    assert.match(html, /&lt;img src=x/);
    assert.doesNotMatch(html, /<img src=x|<script>|onerror=alert\(1\)>/i, path);
  }
  const { text: html } = await page(`/window-sticker/${vin}`);
  assert.match(html, /Jeep’s own file, fetched Nov 12, 2026/);
  assert.match(html, /The prices don’t add up/);
});
