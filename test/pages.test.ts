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

test('every page has one VIN field, and its URL for printing', async () => {
  const inHeader = ['/status', `/window-sticker/${JEEP}`];
  const inPage = ['/', '/nothing/here', '/makes/ford', '/makes/tesla', '/docs/paint-codes'];
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

/** What people type or paste. */

test('a car of unknown make has a page that names its manufacturer', async () => {
  const { status, text } = await page('/window-sticker/JTMACBGAXT5900000');
  assert.equal(status, 200);
  assert.match(text, /<h1>A car made by Toyota Motor Corporation<\/h1>/);
  assert.match(text, /We can(?:'|&#39;|’)t tell this car(?:'|&#39;|’)s make from its VIN/);
  assert.doesNotMatch(text, /not registered|unknown manufacturer/);
});

test('a suggested VIN is a link', async () => {
  const { text } = await page('/window-sticker/L6JUEVPT4LAG44032?as=typed');
  assert.match(
    text,
    /<a class="mono" href="\/window-sticker\/L6JUEVPT4L1G44032">L6JUEVPT4L1G44032<\/a>, with 1 at position 11/,
  );
  // Some of its characters have no meaning in NHTSA's data, but the VIN is correct.
  const confirmation = await page('/window-sticker/3C63RPBP4TES19108');
  assert.match(confirmation.text, /href="\/window-sticker\/3C63RPBP5TES19108"/);
});

test('a pasted sentence, listing or URL redirects to the only VIN in it', async () => {
  for (const pasted of [
    `VIN: ${JEEP}`,
    `2026 Jeep Grand Cherokee, VIN ${JEEP.toLowerCase()}, one owner, $48,900`,
    `https://dealer.example/inventory/new-2026-jeep-${JEEP}/`,
    'VIN 1C4RJ HBR7T C000000',
  ]) {
    const { status, response } = await page(`/find?vin=${encodeURIComponent(pasted)}`);
    assert.deepEqual([status, response.headers.get('location')], [303, `/window-sticker/${JEEP}`], pasted);
  }
  const several = await page(`/find?vin=${encodeURIComponent(`${JEEP} or 1FMUK8DH0TG000000`)}`);
  assert.equal(several.status, 200);
  assert.match(several.text, /<h1>Two VINs in this text<\/h1>/);
  assert.match(several.text, /href="\/window-sticker\/1FMUK8DH0TG000000"/);
  const compared = await page(`/compare?vin=${encodeURIComponent(`VIN: ${JEEP}`)}&vin=1FMUK8DH0TG000000`);
  assert.equal(compared.response.headers.get('location'), `/compare?vins=${JEEP},1FMUK8DH0TG000000`);
});

test('the name of a make leads to its page, also as people write it', async () => {
  const pages = {
    Ford: '/makes/ford',
    'alfa romeo': '/makes/alfa-romeo',
    Chevy: '/makes/chevrolet',
    VW: '/makes/volkswagen',
    mercedes: '/makes/mercedes-benz',
    Toyotta: '/makes/toyota',
    // Several makes, and a make without a page of its own.
    'General Motors': '/makes',
    Bentley: '/makes',
  };
  for (const [name, expected] of Object.entries(pages)) {
    const { status, response } = await page(`/find?vin=${encodeURIComponent(name)}`);
    assert.deepEqual([status, response.headers.get('location')], [303, expected], name);
  }
  for (const text of ['hello', '12345', `Ford ${JEEP.slice(0, -1)}`])
    assert.equal((await page(`/find?vin=${encodeURIComponent(text)}`)).status, 400, text);
});

test('text in another script is not called too short', async () => {
  const { text } = await page(`/find?vin=${encodeURIComponent('汽车')}`);
  assert.match(text, /<h1>VINs use only A–Z and 0–9<\/h1>/);
});

test('of suggested VINs, the added character is marked and named', async () => {
  const { text } = await page(`/find?vin=${JEEP.slice(0, -1)}`);
  const [, first] = /<ul class="vin-list">\s*<li>([^]*?)<\/li>/.exec(text)!;
  assert.match(first!, /<b>\d<\/b><\/a>/);
  assert.match(first!, /last character added/);
  assert.match((await page(`/find?vin=${JEEP.slice(1)}`)).text, /position 1 added/);
});

test('a comparison says for each car why it has no prices', async () => {
  const lead = async (...vins: string[]) => {
    const { text } = await page(`/compare?vins=${vins.join(',')}`);
    const [, samples, rest] = /<p class="lead">([^]*?samples[^.]*\.)([^]*?)<\/p>/.exec(text)!;
    assert.match(samples!, /includes samples/);
    return rest!.trim();
  };
  assert.match(
    await lead('3N8AP6DA9SL000000', '1HGCV3F53MA000000'),
    /^The Kicks has a sticker, but it’s a picture: open it to see the prices\. The Accord has no sticker/,
  );
  assert.match(
    await lead(JEEP, '5GAEVAKW4RJ000000'),
    /^One character in the VIN of the Enclave looks wrong\./,
  );
  assert.match(await lead(JEEP, '2LMPJ8J99PB000000'), /^Lincoln has no sticker for the Nautilus\./);
  assert.match(await lead(JEEP, '5XYP5DGC4PG000000'), /^We’ve paused lookups for Kia, so we don’t know/);
  assert.match(await lead(JEEP, 'JF2SKAGC8RH000000'), /^We couldn’t get a sticker for the Forester just now/);
});

test('two bad characters are both marked', async () => {
  const { text } = await page('/find?vin=1FMUK8DH0TGO0000I');
  assert.match(text, /vin-form at-12/);
  assert.match(text, /class="vin-wrong at-17"/);
});

test('the only VIN that fits is put into the field of the page for a mistyped VIN', async () => {
  const field = /<input[^>]*id="vin"[^>]*>/;
  for (const [path, change] of [
    ['/window-sticker/1FMKU8DH0TG000000', 'positions 4 and 5 swapped'],
    ['/find?vin=1fmuk88dh0tg000000', 'one character removed'],
    ['/find?vin=1FMUK8DH0TGO00000', 'position 12 changed'],
  ]) {
    const { text } = await page(path!);
    assert.match(field.exec(text)![0], /value="1FMUK8DH0TG000000"/);
    assert.doesNotMatch(field.exec(text)![0], /aria-invalid/);
    assert.match(text, new RegExp(`We corrected it: ${change}\\.`));
  }
  const { text } = await page('/window-sticker/1FMUK8DH0TG000001');
  assert.match(field.exec(text)![0], /value="1FMUK8DH0TG000001"/);
  assert.match(field.exec(text)![0], /aria-invalid="true"/);
});

test('a VIN without a known model is suggested if there is no other', async () => {
  const { text } = await page('/find?vin=2GOCA10G211L86984');
  assert.match(text, /Did you mean this one\?/);
  assert.match(text, /href="\/window-sticker\/2GDCA10G211L86984"/);
});

test('a listing shared from another app leads to its car, as the manifest says', async () => {
  const { share_target: target } = await service.json<{
    share_target: { action: string; method: string; params: Record<string, string> };
  }>('/manifest.webmanifest');
  assert.equal(target.method, 'GET');
  const share = (fields: Record<string, string>) => {
    const query = Object.entries(fields).map(([name, value]): [string, string] => [
      target.params[name]!,
      value,
    ]);
    return page(`${target.action}?${new URLSearchParams(query)}`);
  };
  for (const fields of [
    { title: '2026 Jeep', text: `VIN: ${JEEP}, one owner`, url: 'https://dealer.example/cars/7' },
    { title: '', text: '', url: `https://dealer.example/${JEEP}/` },
  ]) {
    const { status, response } = await share(fields);
    assert.deepEqual([status, response.headers.get('location')], [303, `/window-sticker/${JEEP}`]);
  }
  const { status, text } = await share({ title: 'A fine car', text: 'call me', url: '' });
  assert.equal(status, 400);
  assert.match(text, /There is no VIN in what you shared/);
});
