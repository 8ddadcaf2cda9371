import assert from 'node:assert/strict';
import { NO_FIGURES } from '../src/reading/fuel-economy.ts';
import { after, before, test } from 'node:test';
import { openUnsubscribeLinks, unsubscribedHash } from '../src/contacts/unsubscribe.ts';
import type { Reading } from '../src/reading/types.ts';
import { ANNOTATED_VIN, PARTS } from '../src/pages/documents/doc.ts';
import { readerVersionOf } from '../src/makers/read.ts';
import { specimenPdf } from '../src/lookup/specimens/index.ts';
import sharp from 'sharp';
import { startService, type Service } from './service.ts';

const BASE = 'https://stickers.example';
const JEEP = '1C4RJHBR7TC000000';
const HTML = { Accept: 'text/html,application/xhtml+xml' };

let service: Service;
before(async () => {
  service = await startService({ BASE_URL: BASE });
});
after(() => service.close());

async function page(path: string, init: RequestInit = {}) {
  const response = await service.get(path, {
    redirect: 'manual',
    ...init,
    headers: { ...HTML, ...init.headers },
  });
  return { response, status: response.status, text: await response.text() };
}

test('a sticker’s page names the car, shows the picture and says that the prices add up', async () => {
  const { status, text, response } = await page(`/window-sticker/${JEEP}`);
  assert.equal(status, 200);
  assert.match(text, /<h1>2026 Jeep Grand Cherokee Limited<\/h1>/);
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

test('a VIN in lower case or with dashes redirects to its canonical URL', async () => {
  for (const typed of [JEEP.toLowerCase(), '1C4RJ-HBR7-TC000000']) {
    const { status, response } = await page(`/window-sticker/${typed}`);
    assert.equal(status, 301);
    assert.equal(response.headers.get('location'), `/window-sticker/${JEEP}`);
  }
  const { status, response } = await page('/find?vin=%201c4rj%20hbr7tc000000');
  assert.equal(status, 303);
  assert.equal(response.headers.get('location'), `/window-sticker/${JEEP}`);
});

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

test('a VIN with a wrong check digit must be confirmed, and can be looked up as typed', async () => {
  const confirmation = await page('/window-sticker/5GAEVAKW4RJ000000');
  assert.match(confirmation.text, /One character in this VIN looks wrong/);
  assert.match(confirmation.text, /The check digit at position 9 doesn’t match\./);
  assert.match(confirmation.text, /href="\/window-sticker\/5GAEVAKWXRJ000000"/);
  const typed = await page('/window-sticker/5GAEVAKW4RJ000000?as=typed');
  assert.match(typed.text, /has no window sticker for this VIN/);
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

test('comparing a VIN with itself asks for another one', async () => {
  const { text } = await page(`/compare?vin=${JEEP}&vin=${JEEP}`);
  assert.match(text, /That’s the same VIN twice\./);
  assert.equal(text.split(`value="${JEEP}"`).length, 2);
  assert.doesNotMatch((await page(`/compare?vin=${JEEP}`)).text, /twice/);
});

test('an invalid VIN gets a page in browsers and a problem document elsewhere', async () => {
  const browser = await page('/window-sticker/1FMUK8DH0TGOOOOOO');
  assert.equal(browser.status, 400);
  assert.match(browser.text, /This VIN contains characters that VINs never use/);
  assert.match(browser.text, /href="\/window-sticker\/1FMUK8DH0TG000000"/);
  const program = await page('/window-sticker/1FMUK8DH0TGOOOOOO', {
    headers: { Accept: 'application/json' },
  });
  assert.equal(program.status, 400);
  assert.equal(program.response.headers.get('content-type'), 'application/problem+json');
  assert.equal((JSON.parse(program.text) as { reason: string }).reason, 'bad-vin');
});

test('an unknown URL gets a page in browsers and a problem document elsewhere, and a wrong method gets a 405', async () => {
  const browser = await page('/nothing/here');
  assert.equal(browser.status, 404);
  assert.match(browser.text, /<h1>Not found<\/h1>/);
  assert.match(browser.text, /enter a VIN at the top of this page/);
  const program = await page('/nothing/here', { headers: { Accept: '*/*' } });
  const { reason, detail } = JSON.parse(program.text) as { reason: string; detail: string };
  assert.equal(reason, 'not-found');
  assert.match(detail, /There is nothing at this URL\. The API is described at \/openapi\.json/);
  const posted = await page(`/window-sticker/${JEEP}`, { method: 'POST' });
  assert.equal(posted.status, 405);
  assert.equal(posted.response.headers.get('allow'), 'GET, HEAD');
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

test('a page escapes everything from a label', async () => {
  const vin = '1C4RJHBR7TC000011';
  const make = 'Jeep';
  const { store, lookup } = service.runtime;
  const reader = readerVersionOf(make)!;
  const paint = { color: HOSTILE, code: HOSTILE };
  const label = await store.keep(
    { vin, make, source: 'stellantis', host: 'www.jeep.com', fetched: Date.UTC(2026, 10, 12), paint, reader },
    Buffer.concat([specimenPdf(JEEP), Buffer.from('\n% another car\n')]),
  );
  const text = (await lookup.text(label))!;
  const line = { name: HOSTILE, price: 100, children: [HOSTILE] };
  const reading: Reading = {
    reader,
    readable: true,
    reason: null,
    vin,
    paint,
    label: {
      make: HOSTILE,
      model: HOSTILE,
      year: 2026,
      market: 'US',
      language: 'en',
      exterior: paint,
      interior: HOSTILE,
      engine: HOSTILE,
      transmission: HOSTILE,
      assembly: HOSTILE,
      prices: {
        currency: 'USD',
        base: 1,
        options: [line],
        discounts: [line],
        taxes: [line],
        fees: [line],
        destination: 1,
        total: 1,
      },
      standard: [{ section: HOSTILE, items: [HOSTILE] }],
      fuelEconomy: { ...NO_FIGURES, city: 1, highway: 1, combined: 1, unit: HOSTILE },
      places: { [HOSTILE]: { page: 1, x: 1, y: 1, width: 1, height: 1 } },
    },
    proof: { closes: false, sum: 1, total: 1, difference: 5 },
  };
  await store.keepReading(label.sha256, reading);
  await store.keepText(label.sha256, text);
  for (const path of [`/window-sticker/${vin}?as=typed`, `/compare?vins=${vin},${JEEP}`]) {
    const { status, text: html } = await page(path);
    assert.equal(status, 200);
    assert.match(html, /&lt;img src=x/);
    assert.doesNotMatch(html, /<img src=x|<script>|onerror=alert\(1\)>/i, path);
  }
  const { text: html } = await page(`/window-sticker/${vin}`);
  assert.match(html, /From jeep\.com, fetched November 12, 2026, \d+ KB/);
  assert.match(html, /The prices don’t add up/);
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

test('a comparison keeps the known price when the other car has no sticker', async () => {
  const redirected = await page(`/compare?vin=${JEEP}&vin=1HGCV3F53MA000000`);
  const { text } = await page(redirected.response.headers.get('location')!);
  assert.match(text, /\$52,615<\/strong> when new/);
  assert.match(text, /<h2><a href="\/window-sticker\/1HGCV3F53MA000000">2021 Honda/);
  assert.match(text, /The Accord has no sticker: Honda doesn’t publish them\. So we can’t compare/);
});

test('a comparison says for each car why it has no prices', async () => {
  const lead = async (...vins: string[]) => {
    const { text } = await page(`/compare?vins=${vins.join(',')}`);
    return /<p class="lead">([^]*?)<\/p>/.exec(text)![1]!.trim();
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

test('URLs that people guess redirect to the right page', async () => {
  const cases = {
    '/makes/Ford': '/makes/ford',
    '/make/ford': '/makes/ford',
    '/1fmuk8dh0tg000000': '/window-sticker/1FMUK8DH0TG000000',
    '/vin/1FMUK8DH0TG000000': '/window-sticker/1FMUK8DH0TG000000',
    '/sticker/1FMUK8DH0TG000000/': '/window-sticker/1FMUK8DH0TG000000',
    '/make/Alfa%20Romeo': '/makes/alfa-romeo',
    '/coverage': '/makes',
    '/how-it-works': '/docs/how-to-read-a-sticker',
    '/why-no-window-sticker': '/docs/why-no-window-sticker',
    '/monroney-label': '/docs/monroney-label',
    '/api-docs': '/docs/api',
  };
  for (const [from, to] of Object.entries(cases)) {
    const { status, response } = await page(from);
    assert.deepEqual([status, response.headers.get('location')], [308, to], from);
    assert.equal((await page(to)).status, 200, to);
  }
  for (const make of ['honda', 'tesla', 'bmw', 'mercedes-benz']) {
    const { status, text } = await page(`/makes/${make}`);
    assert.equal(status, 200, make);
    assert.match(text, /What you can do instead/);
  }
  assert.equal((await page('/makes/nothing')).status, 404);
});

test('every page has a VIN field, and its URL for printing', async () => {
  for (const path of ['/status', '/makes/ford', '/nothing/here', `/window-sticker/${JEEP}`]) {
    const { text } = await page(path);
    assert.match(text, /<form class="top-find" action="\/find"/, path);
    assert.match(text, new RegExp(`<p class="print-url">${BASE}${path}</p>`), path);
  }
  assert.doesNotMatch((await page('/')).text, /top-find/);
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
  assert.equal((await page('/window-sticker/1HGCV3F53MA00000/preview.png')).status, 404);
});

test('a sticker page has price lines, copy buttons and a way to report a misreading', async () => {
  const { text } = await page(`/window-sticker/${JEEP}`);
  assert.match(text, /data-line="#at-prices-options-1"/);
  assert.match(text, /href="#part-options"/);
  assert.match(text, /Also on the sticker/);
  assert.match(text, /Did we misread something\?/);
  assert.match(text, /data-copy="VIN: 1C4RJHBR7TC000000/);
  assert.match(text, /data-copy="1C4RJHBR7TC000000"/);
});
