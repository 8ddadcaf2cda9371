import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openUnsubscribeLinks, unsubscribedHash } from '../src/contacts/unsubscribe.ts';
import { ANNOTATED_VIN, PARTS } from '../src/pages/documents/doc.ts';
import sharp from 'sharp';
import { newLabel, pdfOf } from '../src/store/testing.ts';
import { BASE, JEEP, startPages } from './page-service.ts';
import { pdfName } from '../src/store/label-bytes.ts';

const { service, page } = await startPages();

test('a sticker’s page names the car, shows the picture and says that the prices add up', async () => {
  const { status, text, response } = await page(`/window-sticker/${JEEP}`);
  assert.equal(status, 200);
  assert.match(text, /<h1>Sample: 2026 Jeep Grand Cherokee Limited 4x4<\/h1>/);
  assert.match(text, /The prices add up:/);
  assert.match(text, new RegExp(`property="og:image" content="${BASE}/window-sticker/${JEEP}/preview.png"`));
  assert.match(text, /"@type":"Vehicle"/);
  assert.doesNotMatch(text, /name="robots"/);
  assert.equal(response.headers.get('set-cookie'), null);
  const policy = response.headers.get('content-security-policy')!;
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.doesNotMatch(text, /\sstyle="|<style|\son[a-z]+="/);
});

test('the page of a test VIN calls our drawing a sample, never the original', async () => {
  const { text } = await page(`/window-sticker/${JEEP}`);
  assert.match(text, /<title>Sample: 2026 Jeep /);
  assert.match(text, /A sample we drew on /);
  assert.match(text, /name="description"\s+content="A sample window sticker of a 2026 Jeep/);
  assert.doesNotMatch(text, /original/i);
});

test('an unchanged page gets 304', async () => {
  const { response } = await page(`/window-sticker/${JEEP}`);
  const revalidated = await page(`/window-sticker/${JEEP}`, {
    headers: { 'If-None-Match': response.headers.get('etag')! },
  });
  assert.equal(revalidated.status, 304);
  assert.equal(revalidated.text, '');
});

test('only pages of test VINs may be indexed by search engines', async () => {
  const { status, text } = await page('/window-sticker/1HGCV3F53MA000001?as=typed');
  assert.equal(status, 200);
  assert.match(text, /<meta name="robots" content="noindex"/);
  assert.match(text, /Honda doesn(?:'|&#39;|’)t publish window stickers/);
});

test('an unknown result is never shown as none, in titles and cards', async () => {
  const [failing, off, none, mistyped] = [
    'JF2SKAGC8RH000000',
    '5XYP5DGC4PG000000',
    '2LMPJ8J99PB000000',
    '5GAEVAKW4RJ000000',
  ];
  const cases = [
    [failing, 'window sticker status unknown'],
    [off, 'window sticker lookups paused'],
    [none, 'no window sticker'],
  ] as const;
  for (const [vin, title] of cases) {
    const { text } = await page(`/window-sticker/${vin}`);
    assert.match(text, new RegExp(`<title>[^<]*: ${title}`));
    assert.match(text, new RegExp(`og:title" content="[^"]*: ${title}`));
  }
  const cards = (await page(`/compare?vins=${failing},${off},${mistyped}`)).text;
  assert.match(cards, /Window sticker status unknown/);
  assert.match(cards, /Window sticker lookups paused/);
  assert.match(cards, /One character looks wrong/);
  assert.match(cards, /one character is probably wrong/);
  assert.doesNotMatch(cards, /no window sticker/i);
});

test('a page’s URL with a slash at the end leads to the page, and never to another site', async () => {
  const locationOf = async (path: string) => {
    const response = await service.get(path, { redirect: 'manual' });
    return response.status === 308 ? response.headers.get('location') : response.status;
  };
  assert.equal(await locationOf('/docs/'), '/docs');
  assert.equal(await locationOf('/compare/?vins=a'), '/compare?vins=a');
  assert.equal(await locationOf('/docs/nhtsa-api/'), '/docs/nhtsa-api');
  for (const path of ['//example.com/', '/nothing/', '/docs//'])
    assert.equal(await locationOf(path), 404, path);
});

test('HEAD gets the headers of GET without the body', async () => {
  for (const path of [
    '/',
    `/window-sticker/${JEEP}`,
    `/window-sticker/${JEEP}/picture?width=320`,
    '/compare',
  ]) {
    const { status, text } = await page(path, { method: 'HEAD' });
    assert.deepEqual([status, text], [200, ''], path);
  }
});

test('the unsubscribe link asks for confirmation; a mail client’s one-click POST unsubscribes', async () => {
  const { store } = service.runtime;
  const { link } = await openUnsubscribeLinks(store, '', Date.now);
  const to = 'someone@example.org';
  const path = await link(to);
  const confirmation = await page(path);
  assert.match(confirmation.text, /Unsubscribe\?/);
  assert.deepEqual(await store.contacts.unsubscribed(), []);
  const forged = await page(path.replace(/key=.*/, 'key=guessed'), { method: 'POST' });
  assert.equal(forged.status, 400);
  assert.deepEqual(await store.contacts.unsubscribed(), []);
  const clicked = await page(path, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  });
  assert.equal(clicked.status, 200);
  assert.match(clicked.text, /You’re unsubscribed/);
  assert.deepEqual(await store.contacts.unsubscribed(), [unsubscribedHash(to)]);
});

test('the log never contains a visitor’s VINs', async () => {
  await page(`/window-sticker/${JEEP}`);
  await page(`/compare?vins=${JEEP},1FMUK8DH0TG000000`);
  const lines = service.logs.filter((line) => line.includes('/window-sticker/') || line.includes('/compare'));
  assert.ok(lines.length > 0);
  assert.ok(lines.every((line) => !line.includes(JEEP)));
});

test('every page has one VIN field, and its URL for printing', async () => {
  const inHeader = ['/status', '/nothing/here', `/window-sticker/${JEEP}`];
  const inPage = ['/', '/makes/ford', '/makes/tesla', '/docs/paint-codes'];
  for (const path of [...inHeader, ...inPage]) {
    const { text } = await page(path);
    const [form, ...others] = text.match(/<form [^>]*action="\/find"/g)!;
    assert.deepEqual([form.includes('top-find'), others], [inHeader.includes(path), []], path);
    assert.match(text, new RegExp(`<p class="print-url">${BASE}${path}</p>`), path);
  }
});

test('the numbers in the guide are placed on the parts they explain', async () => {
  const { lookup } = service.runtime;
  const { finding } = await lookup.find(ANNOTATED_VIN, { sticker: false });
  assert.ok(finding.state === 'held');
  const [sheet] = (await lookup.text(finding.label))!.pages;
  const printed = [
    '2026 EXPLORER ACTIVE 4WD',
    'STANDARD EQUIPMENT INCLUDED AT NO EXTRA CHARGE',
    'TRAILER TOW PACKAGE',
    'BASE PRICE',
    'DESTINATION & DELIVERY',
    'TOTAL SAVINGS',
    'TOTAL MSRP',
    'Annual fuel cost',
    'Overall Vehicle Score',
    'U.S./CANADIAN PARTS CONTENT: 45%',
    'LIMITED COVERAGE',
    ANNOTATED_VIN,
  ];
  assert.equal(PARTS.length, printed.length);
  for (const [index, { name, box, crop = box }] of PARTS.entries()) {
    const item = sheet!.items.find(({ text }) => text.trim() === printed[index])!;
    for (const [x, y, width, height] of [box, crop]) {
      const isInside = item.x >= x && item.x < x + width && item.y > y && item.y <= y + height;
      assert.ok(isInside, `${name}: ${item.x}, ${item.y}`);
    }
  }
  const { text } = await page('/docs/how-to-read-a-sticker');
  const explained = [...text.matchAll(/<li id="part-\d+">\s*<p>\s*<strong>([^<]+)<\/strong>/g)];
  assert.deepEqual(
    explained.map(([, name]) => name),
    PARTS.map(({ name }) => name),
  );
});

test('link previews and home screens get PNGs of the right size', async () => {
  const sizes = {
    [`/window-sticker/${JEEP}/preview.png`]: [1200, 630],
    '/window-sticker/1HGCV3F53MA000000/preview.png': [1200, 630],
    [`/compare/preview.png?vins=${JEEP},1FMUK8DH0TG000000`]: [1200, 630],
    [`/compare/preview.png?vins=${JEEP},1HGCV3F53MA000000,5NMJECDE7TH000000`]: [1200, 630],
    '/apple-touch-icon.png': [180, 180],
    '/icon-192.png': [192, 192],
    '/icon-512.png': [512, 512],
  };
  for (const [path, size] of Object.entries(sizes)) {
    const response = await service.get(path);
    assert.equal(response.headers.get('content-type'), 'image/png', path);
    const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    assert.deepEqual([format, width, height], ['png', ...size], path);
  }
  const { icons } = await service.json<{ icons: { src: string }[] }>('/manifest.webmanifest');
  for (const { src } of icons) assert.equal((await service.get(src)).status, 200, src);
  const wrong = ['/window-sticker/1HGCV3F53MA00000/preview.png', `/compare/preview.png?vins=${JEEP}`];
  for (const path of wrong) assert.equal((await page(path)).status, 404, path);
});

test('a sticker page has price lines, copy buttons and a way to report a misreading', async () => {
  const { text } = await page(`/window-sticker/${JEEP}`);
  assert.match(text, /data-line="#line-3"/);
  assert.match(text, /href="#part-options"/);
  assert.match(text, /Also on the sticker/);
  assert.match(text, /Did we misread something\?/);
  assert.match(text, /data-copy="VIN: 1C4RJHBR7TC000000/);
  assert.match(text, /data-copy="1C4RJHBR7TC000000"/);
});

test('a sticker whose file is missing is a temporary failure of the store', async () => {
  const { store } = service.runtime;
  const vin = '1FTFW1E50PFA12345';
  const label = await store.addLabel(newLabel(vin), pdfOf(vin));
  rmSync(join(service.dataDir, pdfName(label)));
  for (const path of [`/window-sticker/${vin}`, `/window-sticker/${vin}/picture`]) {
    const { status, text, response } = await page(path);
    assert.equal(status, 503, text);
    assert.equal(response.headers.get('retry-after'), '10');
  }
});

test('a missing asset gets no page: assets are not counted, and a page takes milliseconds', async () => {
  for (const path of ['/assets/none.css', '/assets/', '/assets/barcode-0/none.js', '/assets/a/b/']) {
    const { response, status } = await page(path);
    assert.deepEqual([status, response.headers.get('content-type')], [404, 'application/problem+json'], path);
  }
});

test('a link preview that several ask for at the same time is drawn once', async () => {
  const { lookup } = service.runtime;
  const { card } = lookup;
  let drawn = 0;
  lookup.card = (...args) => (drawn++, card(...args));
  try {
    const asked = Array.from({ length: 5 }, () => page('/window-sticker/1FMUK8DH0TG000017/preview.png'));
    for (const { status } of await Promise.all(asked)) assert.equal(status, 200);
  } finally {
    lookup.card = card;
  }
  assert.equal(drawn, 1);
});
