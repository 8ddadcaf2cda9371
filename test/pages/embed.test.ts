import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { sources } from '../../src/makers/index.ts';
import { PREVIEW_WIDTHS } from '../../src/pdf/pdf-workers.ts';
import { labelOf } from '../../tools/simulator/labels.ts';
import { eventually, newVin } from '../operator.ts';
import { startService } from '../service.ts';
import { overflow, screenshot, violations, visit, withoutBrowser } from './browser.ts';
import { browser, service, source } from './site.ts';

/** The card, the badge and the pictures on the pages of another site. */

const skip = withoutBrowser;
const JEEP = '1C4RJHBR7TC000000';
const HONDA = '1HGCV3F53MA000000';
const ford = sources.find((one) => one.id === 'ford')!;

/** A website of somebody else: another origin, and another site for the browser. */
let site: http.Server;
let siteOrigin: string;
let content = '';
let siteHeaders: Record<string, string> = {};
before(async () => {
  site = http.createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...siteHeaders }).end(content);
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  siteOrigin = `http://localhost:${(site.address() as AddressInfo).port}`;
});
after(() => site.close());

/** Opens the other site with this in its body. Requests to us are no problem there. */
async function openSite(
  body: string,
  width = 1440,
  headers: Record<string, string> = {},
  options: BrowserContextOptions = {},
) {
  content = `<!doctype html><html lang="en"><head><title>Our cars</title><meta name="viewport" content="width=device-width"></head><body><main><h1>Our cars</h1>${body}</main></body></html>`;
  siteHeaders = headers;
  const { page, problems } = await visit(browser, siteOrigin, {
    viewport: { width, height: 900 },
    ...options,
  });
  await page.goto('/', { waitUntil: 'load' });
  return { page, problems: () => problems.filter((problem) => !problem.startsWith('request elsewhere')) };
}

/** The snippets that a sticker's page offers. */
async function snippetsOf(vin: string): Promise<string[]> {
  const { page } = await visit(browser, service.origin);
  await page.goto(`/window-sticker/${vin}`);
  await page.getByText('A card or a badge').click();
  const texts = await page.locator('section:has(iframe) dd code').allTextContents();
  return texts.map((text) => text.replace(/https?:\/\/[^/"]+/g, service.origin));
}

const imageWidths = (page: Page) =>
  page.evaluate(() => [...document.images].map((image) => image.complete && image.naturalWidth));

for (const [width, cardWidth] of [
  [390, 250],
  [390, 420],
  [1440, 420],
] as const) {
  test(
    `the card of every test VIN fits and says that it is a sample, ${cardWidth} of ${width} px`,
    { skip },
    async () => {
      const [card] = await snippetsOf(JEEP);
      const sized = card!.replace('width="420"', `width="${cardWidth}"`).replace(' loading="lazy"', '');
      const cards = specimens.map(({ vin }) => sized.replaceAll(JEEP, vin));
      const { page, problems } = await openSite(cards.join(''), width);
      await screenshot(page, `embed-${width}-${cardWidth}`);
      for (const { vin } of specimens) {
        const frame = page.frames().find((one) => one.url().endsWith(vin))!;
        assert.match((await frame.locator('h1').textContent())!, /^Sample: /);
        const clipped = await frame.evaluate(() =>
          [...document.querySelectorAll('main, div, h1')].filter(
            (element) => element.scrollHeight > element.clientHeight,
          ),
        );
        assert.deepEqual(clipped, [], vin);
        const pictures = await frame.evaluate(() =>
          [...document.images].map(({ naturalWidth }) => naturalWidth),
        );
        if (cardWidth < 300)
          assert.ok(!pictures.some(Boolean), 'a picture that isn’t shown isn’t drawn either');
        if ([JEEP, HONDA].includes(vin)) assert.deepEqual(await violations(frame), []);
      }
      assert.equal(await overflow(page), 0);
      assert.deepEqual(problems(), []);
    },
  );
}

test('the card’s link opens the sticker’s page in a tab of its own', { skip }, async () => {
  const [card] = await snippetsOf(JEEP);
  const { page } = await openSite(card!);
  const opened = page.context().waitForEvent('page');
  await page.frameLocator('iframe').getByRole('link', { name: 'See the sample sticker' }).click();
  const tab = await opened;
  await tab.waitForURL(`**/window-sticker/${JEEP}`);
  assert.equal(await tab.evaluate(() => globalThis.opener as unknown), null);
});

test('badge and card also work on a site that isolates itself from others', { skip }, async () => {
  const [card, badge] = await snippetsOf(JEEP);
  const { page, problems } = await openSite(`${card}${badge}`, 1440, {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  });
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  const frame = page.frameLocator('iframe');
  await frame.getByText('$52,615 new').waitFor();
  await frame.locator('img').evaluate((image: HTMLImageElement) => image.decode());
  assert.ok((await imageWidths(page)).every((pixels) => Number(pixels) > 100));
  assert.deepEqual(problems(), []);
});

test('the preview on the sticker’s page shows the same card and badge', { skip }, async () => {
  const { page, problems } = await visit(browser, service.origin, { viewport: { width: 390, height: 900 } });
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(`/window-sticker/${JEEP}`, { waitUntil: 'networkidle' });
  assert.ok(!requested.some((path) => /^\/(embed|badge)\//.test(path)), 'loaded only when it is opened');
  await page.getByText('A card or a badge').click();
  await page.frameLocator('iframe').getByText('$52,615 new').waitFor();
  await page.getByAltText(/^Sample window sticker/).evaluate((image: HTMLImageElement) => image.decode());
  await screenshot(page, 'embed-snippet-390');
  assert.equal(await overflow(page), 0);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(problems, []);
});

test('a card completes by itself once the lookup ends', { skip }, async () => {
  const { page } = await openSite(`<iframe src="${service.origin}/embed/${ford.example}"></iframe>`);
  const frame = page.frameLocator('iframe');
  await frame.getByText('Window sticker: loading').waitFor();
  await frame.getByRole('link', { name: 'View window sticker' }).waitFor();
  source.resume(labelOf(ford, new URL(ford.urls[0]!).host, ford.example));
  await frame.getByRole('link', { name: 'See the original sticker' }).waitFor();
  assert.equal(await frame.getByText('loading').count(), 0);
});

test('a card without scripts loads again by itself, too', { skip }, async () => {
  source.pause();
  const vin = newVin('ford');
  const card = `<iframe src="${service.origin}/embed/${vin}"></iframe>`;
  const { page } = await openSite(card, 1440, {}, { javaScriptEnabled: false });
  const frame = page.frameLocator('iframe');
  await frame.getByText('Window sticker: loading').waitFor();
  source.resume(labelOf(ford, new URL(ford.urls[0]!).host, vin));
  await frame.getByRole('link', { name: 'See the original sticker' }).waitFor();
});

test('a card that should show nothing is invisible', { skip }, async () => {
  const { page } = await openSite(`<iframe src="${service.origin}/embed/${HONDA}?none=hide"></iframe>`);
  const frame = page.frames().find((one) => one.url().includes(HONDA))!;
  assert.equal(await frame.evaluate(() => document.body.innerText), '');
  assert.equal(await frame.locator('main').isVisible(), false);
});

for (const scheme of ['light', 'dark'])
  test(`on a ${scheme} site it shows the site’s own background`, { skip }, async () => {
    const [card] = await snippetsOf(JEEP);
    const hidden = card!
      .replace(`/embed/${JEEP}`, `/embed/${HONDA}?none=hide`)
      .replace(' loading="lazy"', '');
    const { page } = await openSite(`<style>:root { color-scheme: ${scheme} }</style>${hidden}`);
    await page.frameLocator('iframe').locator('main').waitFor({ state: 'attached' });
    const shown = await page.screenshot();
    await page.locator('iframe').evaluate((frame) => (frame.style.visibility = 'hidden'));
    assert.ok(shown.equals(await page.screenshot()));
  });

test(
  'the picture of a car that nobody has looked up is a drawing, and the sticker later',
  { skip },
  async () => {
    source.pause();
    const vin = newVin('ford');
    const picture = `<img src="${service.origin}/window-sticker/${vin}/picture?width=320" width="320" height="207" alt="">`;
    const { page, problems } = await openSite(picture);
    assert.deepEqual(await imageWidths(page), [320]);
    source.resume(labelOf(ford, new URL(ford.urls[0]!).host, vin));
    await eventually(
      async () => (await fetch(`${service.origin}/window-sticker/${vin}/picture?width=320`)).status,
      (status) => status === 200,
    );
    await page.reload({ waitUntil: 'load' });
    assert.deepEqual(await imageWidths(page), [320]);
    assert.deepEqual(problems(), []);
  },
);

test('no other page can be framed', { skip }, async () => {
  const paths = ['/', `/window-sticker/${JEEP}`, '/compare', '/status', '/docs', '/makes/ford', '/nothing'];
  const frames = paths.map((path) => `<iframe src="${service.origin}${path}"></iframe>`).join('');
  const { page, problems } = await openSite(frames);
  const shown = page.frames().filter((frame) => frame.url().startsWith(service.origin));
  assert.deepEqual(
    shown.map((frame) => frame.url()),
    [],
  );
  await eventually(
    async () => problems().filter((problem) => problem.includes('frame-ancestors')).length,
    (count) => count === paths.length,
  );
});

test('a page with the pictures of twenty cars stays within the limits', { skip }, async () => {
  const limited = await startService();
  try {
    const held = specimens.filter(({ state }) => state === 'held').map(({ vin }) => vin);
    const pictures = held.flatMap((vin) =>
      PREVIEW_WIDTHS.map(
        (width) => `<img src="${limited.origin}/window-sticker/${vin}/picture?width=${width}" alt="">`,
      ),
    );
    assert.ok(pictures.length >= 20);
    const { page, problems } = await openSite(pictures.slice(0, 20).join(''));
    assert.ok((await imageWidths(page)).every((pixels) => Number(pixels) >= 320));
    assert.deepEqual(problems(), []);
  } finally {
    await limited.close();
  }
});
