import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sources } from '../../src/makers/index.ts';
import { labelOf } from '../../tools/simulator/labels.ts';
import { newVin } from '../operator.ts';
import { overflow, screenshot, visit, withoutBrowser } from './browser.ts';
import { browser, pageTest, service, source } from './site.ts';

const skip = withoutBrowser;
const JEEP = '1C4RJHBR7TC000000';
const FORD = '1FMUK8DH0TG000000';
const ford = sources.find((source) => source.id === 'ford')!;
const FORD_HOST = new URL(ford.urls[0]!).host;

pageTest('a pasted VIN leads to the sticker, and from there to a comparison', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('VIN').fill('1c4rj-hbr7 tc000000');
  assert.equal(await page.getByLabel('VIN').inputValue(), JEEP);
  await page.getByRole('button', { name: 'Find the sticker' }).click();
  await page.waitForURL(`/window-sticker/${JEEP}`);
  assert.match((await page.locator('h1').textContent())!, /2026 Jeep Grand Cherokee Limited/);
  assert.match((await page.locator('.proof').textContent())!, /The prices add up/);
  await page.getByRole('link', { name: 'Compare with another car' }).click();
  await page.getByLabel('Second VIN').fill('1fmuk8dh0tg000000');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.waitForURL(/vins=/);
  assert.match((await page.locator('h1').textContent())!, /cost \$[\d,]+ more than/);
});

pageTest(
  'without JavaScript the same flow works, and a line links to its position on the sticker',
  async ({ page }) => {
    await page.goto('/');
    await page.getByLabel('VIN').fill('1c4rj-hbr7 tc000000');
    await page.getByRole('button', { name: 'Find the sticker' }).click();
    await page.waitForURL(`/window-sticker/${JEEP}`);
    await page.getByRole('link', { name: 'Trailer-Tow Package' }).click();
    assert.equal(await page.locator('#line-4').isVisible(), true);
    assert.equal(await page.locator('.frames rect:visible').count(), 1);
    assert.equal(await page.getByLabel('Asking price').isVisible(), false);
    assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), 0);
  },
  { javaScriptEnabled: false },
);

pageTest(
  'typing marks an invalid character and explains it',
  async ({ page }) => {
    await page.goto('/');
    const field = page.getByLabel('VIN');
    const message = page.locator('#vin-message');
    await field.pressSequentially('1ftfw1o5');
    assert.equal(await field.inputValue(), '1FTFW105');
    await field.fill('1FTFW1О');
    assert.match((await message.textContent())!, /VINs use only A–Z and 0–9\./);
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await field.fill('toyota');
    assert.equal(await message.isVisible(), false);
    await field.fill('1FTFW1O');
    assert.match(
      (await message.textContent())!,
      /We changed O to 0: VINs never use the letters I, O and Q\./,
    );
    await screenshot(page, 'home-typing-dark-390');
    await field.fill('1FTEW1KPOSKF71266');
    assert.match((await message.textContent())!, /check digit.*We changed O to 0: VINs never use/);
    await field.fill('1FMUK8DH0TG');
    assert.equal(await message.isVisible(), false);
    await field.fill('5GAEVAKW4RJ000000');
    assert.match((await message.textContent())!, /check digit at position 9 doesn’t match.*probably wrong/);
    await field.fill('5GAEVAKWXRJ0D0000');
    // The only correction is made, and can be undone.
    await message.getByRole('button', { name: 'Undo' }).waitFor();
    assert.equal(await field.inputValue(), '5GAEVAKWXRJ000000');
    assert.match((await message.textContent())!, /We changed position 13 from D to 0\./);
    await message.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await field.inputValue(), '5GAEVAKWXRJ0D0000');
    assert.match((await message.textContent())!, /check digit at position 9 doesn’t match/);
  },
  {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  },
);

pageTest('the only VIN that fits a doubled character or a swap is put into the field', async ({ page }) => {
  await page.goto('/');
  const field = page.getByLabel('VIN');
  const message = page.locator('#vin-message');
  await field.fill(`${FORD.slice(0, 6)}${FORD.slice(5)}`);
  await message.getByRole('button', { name: 'Undo' }).waitFor();
  assert.equal(await field.inputValue(), FORD);
  assert.match(
    (await message.textContent())!,
    /We removed the extra 8 at position 7\. A VIN has 17 characters/,
  );
  await field.fill('1FMKU8DH0TG000000');
  await message.getByText('We swapped positions 4 and 5.').waitFor();
  assert.equal(await field.inputValue(), FORD);
  // What can't be a VIN isn't asked about: the page would report the failed request.
  await field.fill('1FMUK8DH*TG000000');
  await message.getByText('Position 9 can’t be “*”.').waitFor();
});

pageTest('text without a VIN, a make’s name and other alphabets are told apart', async ({ page }) => {
  await page.goto('/');
  const field = page.getByLabel('VIN');
  const message = page.locator('#vin-message');
  for (const text of ['joe.smith@example.com', 'my new car is red and I love it']) {
    await field.fill(text);
    await message.getByText('There’s no VIN in that text.').waitFor();
  }
  await field.fill('1FMUK8DH0TG00000😀');
  await message.getByText('“😀” isn’t one of them').waitFor();
  await field.fill([...FORD].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join(''));
  assert.equal(await field.inputValue(), FORD);
  await page.locator('.vin-decoded', { hasText: 'Ford Explorer' }).waitFor();
  await field.fill('chev');
  await page.locator('.vin-decoded').waitFor({ state: 'hidden' });
  assert.equal(await page.locator('[data-note=maker]').textContent(), '');
  await field.fill('chevy');
  await field.press('Enter');
  await page.waitForURL('/makes/chevrolet');
});

pageTest('text is not changed while an input method composes it', async ({ page }) => {
  await page.goto('/');
  const field = page.getByLabel('VIN');
  const input = await page.context().newCDPSession(page);
  await field.focus();
  for (const text of ['1', '1f', '1fo']) {
    await input.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
    assert.equal(await field.inputValue(), text);
  }
  await input.send('Input.insertText', { text: '1fo' });
  assert.equal(await field.inputValue(), '1F0');
});

pageTest('text that a phone keyboard inserts without a paste event becomes its VIN', async ({ page }) => {
  await page.goto('/');
  const field = page.getByLabel('VIN');
  await field.focus();
  await page.keyboard.insertText(`my truck ${FORD} call me`);
  await page.waitForFunction((vin) => document.querySelector<HTMLInputElement>('#vin')!.value === vin, FORD);
  await field.clear();
  await page.keyboard.insertText(`${JEEP} or ${FORD}`);
  await page.getByText('That text contains 2 VINs').waitFor();
  assert.equal(await field.inputValue(), JEEP);
  await page.keyboard.type('X');
  await page.getByText('One character too many').waitFor();
});

pageTest(
  'the focus ring of a header link is not clipped',
  async ({ page }) => {
    await page.goto('/');
    const link = page.locator('.top').getByRole('link', { name: 'Makes' });
    await link.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    const ringTop = await link.evaluate((element) => {
      const { outlineOffset, outlineWidth } = getComputedStyle(element);
      return element.getBoundingClientRect().top - parseFloat(outlineOffset) - parseFloat(outlineWidth);
    });
    assert.ok(ringTop >= 0, `${ringTop} px: the ring starts above the page`);
  },
  { viewport: { width: 1280, height: 900 } },
);

/** Where everything on the first screens is. */
const positions = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')].flatMap((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return width && height && y < 2000 ? [`${element.tagName} ${element.className}: ${x}, ${y}`] : [];
    }),
  );

test(
  'the home page is smaller than 50 KB, and scripts and pictures move nothing on it or on a sticker page',
  { skip },
  async () => {
    for (const path of ['/', `/window-sticker/${JEEP}`]) {
      const { page, bytes } = await visit(browser, service.origin);
      const { promise: seen, resolve: release } = Promise.withResolvers<void>();
      await page.route(/\.js$|picture/, async (route) => {
        await seen;
        await route.continue();
      });
      await page.goto(path, { waitUntil: 'commit' });
      await page.locator('footer').waitFor();
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet),
      );
      const before = await positions(page);
      release();
      await page.waitForLoadState('networkidle');
      const after = new Set(await positions(page));
      assert.deepEqual(
        before.filter((position) => !after.has(position)),
        [],
      );
      if (path === '/') assert.ok((await bytes()) <= 50 * 1024, `${await bytes()} bytes`);
    }
  },
);

pageTest(
  'while a source is slow the page shows the decoded car, then completes by itself',
  async ({ page }) => {
    const { page: withoutScript } = await visit(browser, service.origin, { javaScriptEnabled: false });
    const path = `/window-sticker/${ford.example}`;
    await page.goto(path);
    await withoutScript.goto(path);
    assert.match((await page.locator('h1').textContent())!, /Ford/);
    assert.match((await page.getByRole('status').textContent())!, /asking Ford/i);
    assert.match((await withoutScript.getByRole('status').textContent())!, /asking Ford/i);
    assert.equal(
      await page.locator('[data-share], main [data-copy]').count(),
      0,
      'no gaps for later buttons',
    );
    source.resume(labelOf(ford, FORD_HOST, ford.example));
    await page.getByText('Price and options').waitFor();
    await page.getByRole('button', { name: 'Share' }).waitFor();
    assert.match(await page.title(), /window sticker/);
    assert.equal(await page.locator('.label').count(), 1);
    await page.getByRole('link', { name: 'Total price' }).hover();
    assert.equal(await page.locator('[id^=line-].shown').isVisible(), true);
    await withoutScript.getByText('Price and options').waitFor();
  },
);

pageTest(
  'on the narrowest phone a price in Canadian dollars stays on the page',
  async ({ page }) => {
    await page.goto(`/compare?vins=${JEEP},1FMUK8DH0TG000000`);
    await page
      .locator('.car-row-price')
      .first()
      .evaluate((price) => (price.lastChild!.textContent = ' Canadian when new'));
    assert.equal(await overflow(page), 0);
  },
  { viewport: { width: 320, height: 700 } },
);

pageTest('a comparison completes by itself once the second lookup ends', async ({ page }) => {
  const vin = newVin('ford');
  source.pause();
  await page.goto(`/compare?vins=${JEEP},${vin}`);
  assert.match((await page.getByRole('status').textContent())!, /asking Ford/i);
  assert.equal(await page.locator('[data-share]').count(), 0, 'no gap where nothing can be shared yet');
  source.resume(labelOf(ford, FORD_HOST, vin));
  await page.getByText('Line by line').waitFor();
  assert.match((await page.locator('h1').textContent())!, /cost \$[\d,]+ more than/);
  await page.getByRole('button', { name: 'Share' }).waitFor();
});

pageTest(
  'a VIN is decoded while it is typed, by a decoder that loads at the first character',
  async ({ page, bytes }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.goto('/');
    assert.ok(
      !requested.some((path) => /^\/assets\/vin-[0-9a-f]{10}\//.test(path)),
      'the decoder is loaded only when needed',
    );
    const before = await bytes();
    assert.ok(before <= 60_000, `${before} bytes before the first character`);
    await page.getByLabel('VIN').pressSequentially('1ft');
    await page.locator('[data-note=maker]', { hasText: 'Ford, pickup' }).waitFor();
    await page.getByLabel('VIN').pressSequentially('mw1t88mf');
    await page.locator('.vin-decoded', { hasText: '2021 Ford F-150' }).waitFor();
    // Data is loaded per maker, not per character.
    const data = requested.filter((path) => path.endsWith('.bin')).map((path) => path.split('/').at(-1));
    assert.deepEqual(data, ['common.bin', '1FT.bin']);
    await page.getByLabel('VIN').fill('');
    await page.locator('.vin-decoded').waitFor({ state: 'hidden' });
  },
);

test(
  'the magnified view follows the line, without animation if reduced motion is preferred',
  { skip },
  async () => {
    const view = (page: Page) => page.locator('.loupe svg').getAttribute('viewBox');
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      const { page } = await visit(browser, service.origin, {
        viewport: { width: 1440, height: 900 },
        reducedMotion,
      });
      await page.goto(`/window-sticker/${JEEP}`);
      const fullView = await view(page);
      await page.getByRole('link', { name: 'Trailer-Tow Package' }).focus();
      if (reducedMotion === 'reduce') assert.notEqual(await view(page), fullView);
      const [, , fullWidth] = fullView!.split(' ').map(Number);
      await page.waitForFunction(
        (limit) =>
          Number(document.querySelector('.loupe svg')!.getAttribute('viewBox')!.split(' ')[2]) < limit,
        fullWidth! / 2,
      );
      await page.getByLabel('Look up a VIN').focus();
      await page.waitForFunction(
        (limit) =>
          Number(document.querySelector('.loupe svg')!.getAttribute('viewBox')!.split(' ')[2]) >= limit,
        fullWidth! - 1,
      );
    }
  },
);
