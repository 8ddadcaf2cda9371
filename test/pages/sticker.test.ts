import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { screenshot, violations } from './browser.ts';
import { pageTest } from './site.ts';
import { testInViews } from './views.ts';

/** What people do on the page of one sticker, at a phone's, a tablet's and a desktop's width, in light and dark. */

const JEEP = '1C4RJHBR7TC000000';
/** A test VIN whose source always fails. */
const FAILING = 'JF2SKAGC8RH000000';
const HONDA = '1HGCV3F53MA000000';
/** The line of the trailer tow package. */
const LINE = 4;

const stage = (page: Page) => page.locator('.stage');
const shownWidth = (page: Page) => page.locator('.stage-sticker').evaluate((sticker) => sticker.clientWidth);

testInViews({
  async 'the first screen says what the car cost, with which options, in which color, and where it was built'(
    page,
    { name },
  ) {
    await page.goto(`/window-sticker/${JEEP}`);
    const answer = page.locator('.answer');
    assert.equal(
      (await answer.innerText()).replaceAll(/\s+/g, ' '),
      '$52,615 when new · $4,640 in options · Harbor Fog Metallic Clear-Coat · built in Detroit, Michigan',
    );
    const { y, height } = (await answer.boundingBox())!;
    assert.ok(y + height < 400, `the answer ends at ${y + height} px`);
    await screenshot(page, `sticker-${name}`);
  },

  async 'name, price, sticker, VIN and facts follow in this order, and the sticker begins in the upper half'(
    page,
    { width },
  ) {
    const tops = await page
      .locator('h1, .answer, .sheet, .origin, .vin, .facts, h2')
      .evaluateAll((all) => all.slice(0, 7).map((element) => element.getBoundingClientRect().top));
    assert.deepEqual(
      tops,
      tops.toSorted((a, b) => a - b),
    );
    assert.ok(tops[2]! < 422, `the sticker begins at ${tops[2]} px`);
    const sizes = await page.locator('.answer, .answer strong, section h2').evaluateAll((all) =>
      all.slice(0, 3).map((element) => {
        const { fontSize, lineHeight } = getComputedStyle(element);
        return `${fontSize}/${lineHeight}`;
      }),
    );
    assert.deepEqual(sizes, ['20px/28px', '28px/32px', width < 720 ? '20px/26px' : '22px/28px']);
    const sheet = (await page.locator('.sheet').boundingBox())!;
    const ruler = (await page.locator('.vin-text').boundingBox())!;
    assert.ok(Math.abs(sheet.width - ruler.width) < 0.5, 'the VIN ends at the edge of the column');
  },

  async 'checksum, size and the meaning of the VIN’s groups unfold'(page, { width }) {
    assert.equal(await page.getByText('SHA-256').isVisible(), false);
    await page.locator('.origin summary').click();
    assert.match(await page.locator('.origin').innerText(), /SHA-256\s+[0-9a-f]{64}/);
    const meanings = page.locator('.vin-groups dd');
    assert.equal(await meanings.first().isVisible(), width >= 720);
    if (width < 720) await page.getByText('What the groups mean').click();
    for (const value of await meanings.all())
      assert.equal(await value.isVisible(), true, await value.innerText());
    assert.equal(await page.locator('.vin-groups dt').first().innerText(), 'maker');
    assert.deepEqual(await violations(page), []);
  },

  async 'the legend of the price bar is large enough for a thumb'(page) {
    for (const entry of await page.locator('.bar-key a').all()) {
      const { height } = (await entry.boundingBox())!;
      assert.ok(height >= 44, `${height} px`);
    }
  },

  async 'a link to a line opens with that line framed, and a click on a line makes such a link'(
    page,
    { width },
  ) {
    await page.goto('about:blank');
    await page.goto(`/window-sticker/${JEEP}#line-${LINE}`);
    await page.locator('.pointed').waitFor();
    assert.match(await page.locator('.pointed').innerText(), /Trailer-Tow Package/);
    assert.equal(await page.locator(`#line-${LINE}`).isVisible(), true);
    assert.equal(await page.locator('.frames rect:visible').count(), 1);
    assert.match(await page.locator('.loupe').innerText(), /Trailer-Tow Package, as printed/);
    await page.waitForFunction(
      (selector) => {
        const { top, bottom } = document.querySelector(selector)!.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      },
      width < 720 ? '.pointed' : `#line-${LINE}`,
    );
    await page.locator('a.line', { hasText: 'Base price' }).click();
    assert.equal(await page.evaluate(() => location.hash), '#line-1');
    assert.equal(await page.locator('#line-1').isVisible(), true);
    assert.deepEqual(await violations(page), []);
    if (width >= 720) return;
    // On a phone the enlarged line is below its row, and a second tap closes it.
    assert.match(
      await page.locator('.above-hint').innerText(),
      /^Point at a line to see it on the sticker\.$/,
    );
    assert.equal(await page.locator('.pointed + .loupe-row').isVisible(), true);
    await page.locator('a.line', { hasText: 'Base price' }).click();
    assert.equal(await page.locator('.loupe').isVisible(), false);
    assert.equal(await page.locator('.pointed').count(), 0);
    assert.equal(await page.evaluate(() => location.hash), '');
    for (const line of ['Total price', 'Exterior']) {
      await page.getByRole('link', { name: line, exact: true }).click();
      assert.equal(await page.locator('.loupe').isVisible(), true, line);
    }
  },

  async 'the small sticker beside the prices is large enough to read, and frames a line with 4 px around it'(
    page,
    { width },
  ) {
    if (width < 1280) return;
    const crop = (await page.locator('.loupe svg').boundingBox())!;
    assert.equal(Math.round(crop.width), 520);
    assert.ok(crop.height >= 360, `${crop.height} px high`);
    await page.locator('a.line', { hasText: 'Destination' }).focus();
    const [padding, framed] = await page.evaluate(() => {
      const small = document.querySelector('.loupe svg')!;
      const scale =
        small.getBoundingClientRect().width / Number(small.getAttribute('viewBox')!.split(' ')[2]);
      const heightOf = (selector: string) =>
        Number(document.querySelector(selector)!.getAttribute('height')) * scale;
      // The frame on the large sticker has 4 points around its line.
      const line = heightOf('.frames .shown') - 8 * scale;
      return [(heightOf('.loupe rect') - line) / 2, line];
    });
    assert.ok(Math.abs(padding - 4) < 0.1, `${padding} px`);
    assert.ok(framed > 8, 'the line is large enough to read');
  },

  async 'each slice and each part of the price bar’s legend shows its line on the small sticker'(
    page,
    { width },
  ) {
    const caption = page.locator('.loupe figcaption');
    if (width < 720) {
      const bar = (await page.locator('.bar-drawing').boundingBox())!;
      await page.locator('.bar-drawing').click({ position: { x: bar.width * 0.5, y: 10 } });
      assert.equal(await caption.innerText(), 'Base price, as printed on the sticker.');
      assert.equal(await page.locator('.loupe').isVisible(), true);
      await page.reload();
      return;
    }
    for (const part of ['Destination', 'Base price', 'Total']) {
      await page.locator('.bar-key a', { hasText: part }).hover();
      assert.match(await caption.innerText(), new RegExp(`^${part}.*, as printed on the sticker`));
    }
    const slice = page.locator('.slice-options').first();
    await slice.hover();
    const line = page.locator(`a.line[href="${await slice.getAttribute('data-line')}"]`);
    assert.equal(await caption.innerText(), `${await line.innerText()}, as printed on the sticker.`);
  },

  async 'the boxes fill two columns on a wide screen, ratings are drawn as the EPA draws them'(
    page,
    { width },
  ) {
    const columns = await page.locator('.fact-boxes > div').evaluateAll((all) =>
      all.map((column) => {
        const { left, bottom } = column.lastElementChild!.getBoundingClientRect();
        return { left, bottom };
      }),
    );
    assert.equal(columns.length, 2);
    assert.equal(columns[0]!.left < columns[1]!.left, width >= 960);
    if (width >= 960) assert.ok(Math.abs(columns[0]!.bottom - columns[1]!.bottom) < 1);
    const figure = page.locator('.fact-box .large');
    assert.match(await figure.innerText(), /^\d+ mpg$/);
    assert.equal(await figure.evaluate((text) => getComputedStyle(text).fontSize), '28px');
    for (const scale of await page.locator('.scale').all()) {
      const [rating] = /^\d+/.exec((await scale.getAttribute('aria-label'))!)!;
      const bar = (await scale.locator('.scale-line').boundingBox())!;
      const mark = (await scale.locator('.scale-mark').boundingBox())!;
      const at = (mark.x + mark.width / 2 - bar.x) / bar.width;
      assert.ok(Math.abs(at - (0.06 + (0.88 * (Number(rating) - 1)) / 9)) < 0.02, `${rating} is at ${at}`);
      assert.ok(mark.y < bar.y, 'the mark points into the bar');
      assert.ok((await scale.boundingBox())!.width >= 240, 'its numbers are large enough to read');
    }
  },

  async 'the words on the sticker are explained on a tap'(page) {
    const words = page.locator('.glossary');
    const meaning = words.getByText('What the manufacturer charges to ship the car to the dealer.');
    assert.equal(await meaning.isVisible(), false);
    await words.getByText('Destination', { exact: true }).click();
    assert.equal(await meaning.isVisible(), true);
    const msrp = words.getByText('The manufacturer’s suggested retail price.');
    await words.getByText('MSRP', { exact: true }).focus();
    assert.equal(await msrp.isVisible(), false);
    await page.keyboard.press('Enter');
    assert.equal(await msrp.isVisible(), true);
    const prices = page.locator('section', { hasText: 'Price and options' });
    assert.equal(await prices.getByRole('link', { name: 'How to read' }).isVisible(), true);
    await prices.getByRole('link', { name: 'Its words' }).click();
    const { y } = (await page.getByRole('heading', { name: 'Words on this sticker' }).boundingBox())!;
    assert.ok(y >= 0 && y < page.viewportSize()!.height, `${y}`);
  },

  async 'a printed page begins with sticker, price bar and total on one sheet'(page) {
    await page.emulateMedia({ media: 'print' });
    const first = await page.locator('.price-bar').evaluate((bar) => {
      const { bottom } = bar.getBoundingClientRect();
      return bottom + scrollY - document.querySelector('h1')!.getBoundingClientRect().top - scrollY;
    });
    // A Letter page between margins of 12 mm.
    if ((page.viewportSize()?.width ?? 0) === 820) assert.ok(first < 965, `${first} px`);
    assert.equal(
      await page.locator('.bar-sum strong').evaluate((sum) => getComputedStyle(sum).fontSize),
      '28px',
    );
    assert.equal(await page.locator('.asking-price').isVisible(), false);
    assert.equal(
      await page.locator('.says').evaluate((table) => getComputedStyle(table).breakBefore),
      'page',
    );
    await page.emulateMedia({ media: null });
  },

  async 'the sticker opens on the whole screen, zooms, moves and closes'(page, { width }) {
    const link = page.getByRole('link', { name: 'Zoom in on the sticker' });
    await link.click();
    const viewer = page.getByRole('dialog', { name: 'The sticker, enlarged' });
    await viewer.waitFor();
    const box = (await viewer.boundingBox())!;
    assert.deepEqual([box.x, box.y, box.width, box.height], [0, 0, width, 900]);
    assert.equal(await shownWidth(page), 1920);
    assert.deepEqual(await violations(page), []);
    const scrolled = () => stage(page).evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
    const [left, top] = await scrolled();
    await page.mouse.move(200, 400);
    await page.mouse.down();
    await page.mouse.move(160, 430, { steps: 3 });
    await page.mouse.up();
    assert.deepEqual(await scrolled(), [left! + 40, top! - 30]);
    await page.getByRole('button', { name: 'Zoom in', exact: true }).click();
    assert.equal(await shownWidth(page), 2880);
    for (let times = 0; times < 6; times++) await page.getByRole('button', { name: 'Zoom out' }).click();
    // Never smaller than the screen.
    assert.ok((await shownWidth(page)) > width * 0.7);
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close' }).click();
    await viewer.waitFor({ state: 'detached' });
    assert.equal(await link.evaluate((element) => element === document.activeElement), true);
  },

  async 'an asking price is compared with the price when new, and stays in this browser'(page, { width }) {
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
    const field = page.getByLabel('Asking price');
    const words = page.locator('.asking-price [role=status]');
    const below = page.locator('.proof');
    const before = await below.evaluate((proof) => proof.getBoundingClientRect().top + scrollY);
    await field.fill('$39,500');
    assert.equal(await words.innerText(), '25% less than new: $13,115 below $52,615');
    assert.equal(await words.locator('strong').evaluate((text) => getComputedStyle(text).fontSize), '28px');
    const after = await below.evaluate((proof) => proof.getBoundingClientRect().top + scrollY);
    if (width >= 720) assert.equal(after, before, 'nothing moves while someone types');
    const mark = (await page.locator('.bar-drawing .bar-asking').boundingBox())!;
    const bar = (await page.locator('.bar-drawing').boundingBox())!;
    assert.ok(Math.abs((mark.x - bar.x) / bar.width - 39_500 / 53_010) < 0.02, 'the mark is at its price');
    const parts = page.locator('.bar-drawing .slice');
    const last = (await parts.last().boundingBox())!;
    assert.ok(last.x + last.width <= bar.x + bar.width + 1, 'the bar shows every part');
    assert.match(await page.locator('[data-asking-key]').innerText(), /Asking price\s*\$39,500/);
    await field.fill('52.7k');
    assert.equal(await words.innerText(), 'Less than 1% more than new: $85 above $52,615');
    await field.fill('52615');
    assert.equal(await words.innerText(), 'Same as new, $52,615');
    await field.fill('a lot');
    assert.equal(await words.innerText(), 'Enter an amount, such as 45,900.');
    await field.fill('41000');
    assert.match(await page.evaluate(() => location.hash), /[#&]asking=41000$/);
    await page.goto('/');
    await page.goto(`/window-sticker/${JEEP}`);
    await words.locator('strong').waitFor();
    assert.equal(await field.inputValue(), '41000');
    assert.match(await words.innerText(), /^22% less than new: \$11,615 below/);
    // A shared link has the price, and a line that is opened keeps it.
    await page.goto('about:blank');
    await page.goto(`/window-sticker/${JEEP}#asking=47000`);
    await words.locator('strong').waitFor();
    assert.equal(await field.inputValue(), '47000');
    await page.locator('a.line', { hasText: 'Base price' }).click();
    assert.equal(await page.evaluate(() => location.hash), '#line-1&asking=47000');
    const total = (await page.locator('#total').boundingBox())!;
    assert.ok((await field.boundingBox())!.y - total.y - total.height < 40, 'it follows the total');
    assert.ok(!sent.some((request) => /4[17]000|39,?500/.test(request)), 'the asking price was sent');
    assert.match(
      await page.locator('section', { hasText: 'Buying this car?' }).innerText(),
      /Final assembly was in the United States: the sticker says “DETROIT, MICHIGAN, U\.S\.A\.”/,
    );
    const recalls = page.getByRole('link', { name: 'open recalls' });
    assert.equal(await recalls.getAttribute('href'), `https://www.nhtsa.gov/recalls?vin=${JEEP}`);
  },

  async 'without a sticker the page is about the car, and developers unfold their part'(page) {
    await page.goto(`/window-sticker/${HONDA}`);
    const answer = page.locator('.answer');
    assert.equal(
      await answer.innerText(),
      'Honda doesn’t publish window stickers. Here is what the VIN says, and how to get a copy.',
    );
    assert.ok((await answer.boundingBox())!.y < (await page.locator('.vin').boundingBox())!.y);
    const chevron = (await page.locator('summary', { hasText: 'For developers' }).boundingBox())!;
    const words = (await page.getByText('For developers').boundingBox())!;
    assert.ok(words.x - chevron.x < 32, 'the chevron stands beside its title');
    const above = (await page.locator('.steps').boundingBox())!;
    assert.ok(chevron.y - above.y - above.height >= 48, 'it is a section of its own');
    assert.equal(await page.getByText('As JSON').first().isVisible(), false);
    await page.getByText('For developers').click();
    assert.equal(await page.getByText('As JSON').first().isVisible(), true);
    assert.match(await page.locator('.facts').innerText(), /Two-wheel drive[^]*Built in Marysville, Ohio/);
    assert.doesNotMatch(await page.locator('main').innerText(), /\p{L}'/u);
    assert.deepEqual(await violations(page), []);
  },
});

pageTest(
  'two fingers zoom the sticker around the point between them',
  async ({ page }) => {
    await page.goto(`/window-sticker/${JEEP}`);
    await page.getByRole('link', { name: 'Zoom in on the sticker' }).tap();
    await stage(page).waitFor();
    const before = await shownWidth(page);
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      });
    await touch('touchStart', [145, 400], [245, 400]);
    await touch('touchMove', [170, 400], [220, 400]);
    await touch('touchEnd');
    await page.waitForFunction(
      (width) => document.querySelector('.stage-sticker')!.clientWidth === width / 2,
      before,
    );
    // The page behind wasn't zoomed.
    assert.equal(await page.evaluate(() => visualViewport!.scale), 1);
    await page.getByRole('button', { name: 'Close' }).tap();
    await stage(page).waitFor({ state: 'detached' });
  },
  {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  },
);

pageTest(
  'after a failed lookup the page counts down and tries again by itself, but not forever',
  async ({ page }) => {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    let loads = 0;
    page.on('request', (request) => {
      if (request.resourceType() === 'document') loads += 1;
    });
    await page.goto(`/window-sticker/${FAILING}`);
    const timer = page.getByRole('timer');
    const seconds = Number(await page.getByRole('link', { name: 'Try again' }).getAttribute('data-retry'));
    assert.equal(await timer.innerText(), `Trying again in ${seconds} seconds.`);
    await page.clock.runFor(1000);
    assert.equal(await timer.innerText(), `Trying again in ${seconds - 1} seconds.`);
    for (let retry = 1; retry <= 5; retry++) {
      const loaded = page.waitForEvent('load');
      await page.clock.runFor(seconds * 1000);
      await loaded;
      assert.equal(loads, 1 + retry);
    }
    assert.match(await timer.innerText(), /^It may work in /);
    await page.clock.runFor(seconds * 10_000);
    assert.equal(loads, 6);
  },
);
