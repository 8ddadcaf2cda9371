import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JEEP, startPages } from './page-service.ts';

/** What people type or paste, and URLs that they guess. */

const { page, service } = await startPages();

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
  assert.match(
    confirmation.text,
    /<input[^>]+value="5GAEVAKW4RJ000000"/,
    'it can be corrected without retyping',
  );
  // Changing position 4 or 5 also gives valid check digits, but no known model.
  const suggested = (await page('/window-sticker/1FMUK8DH1TG000000')).text;
  assert.match(suggested, /href="\/window-sticker\/1FMUK8DH0TG000000"/);
  assert.doesNotMatch(suggested, /href="\/window-sticker\/1FM[^U]K8DH1TG000000"/);
  const typed = await page('/window-sticker/5GAEVAKW4RJ000000?as=typed');
  assert.match(typed.text, /has no window sticker for this VIN/);
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

test('a VIN without a known model is suggested if there is no other', async () => {
  const { text } = await page('/find?vin=2GOCA10G211L86984');
  assert.match(text, /Did you mean this one\?/);
  assert.match(text, /href="\/window-sticker\/2GDCA10G211L86984"/);
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
