import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sources } from '../../src/makers/index.ts';
import { PARTS } from '../../src/pages/documents/doc.ts';
import { labelOf } from '../../tools/simulator/labels.ts';
import { overflow, violations } from './browser.ts';
import { service, source } from './site.ts';
import { testInViews } from './views.ts';

/** What visitors do, at a phone's, a tablet's and a desktop's width, in light and dark. */

const JEEP = '1C4RJHBR7TC000000';
const FORD = '1FMUK8DH0TG000000';
const HONDA = '1HGCV3F53MA000000';
const NISSAN = '3N8AP6DA9SL000000';
const ford = sources.find(({ id }) => id === 'ford')!;

const field = (page: Page) => page.getByLabel('VIN', { exact: true });
const heading = (page: Page) => page.locator('h1').innerText();
/** Writing the clipboard takes a moment after a click. */
const isCopied = (page: Page, text: string) =>
  page.waitForFunction(async (part) => (await navigator.clipboard.readText()).includes(part), text);
const loupeWidth = (page: Page) =>
  page.locator('.loupe svg').evaluate((svg) => Number(svg.getAttribute('viewBox')!.split(' ')[2]));

function paste(page: Page, text: string): Promise<void> {
  return field(page).evaluate((input, words) => {
    const data = new DataTransfer();
    data.setData('text', words);
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }));
  }, text);
}

testInViews({
  async 'a pasted text becomes its VIN, and several VINs are offered'(page) {
    await page.goto('/');
    for (const text of [`2026 Jeep, VIN: ${JEEP}, one owner`, `https://dealer.example/${JEEP}/`]) {
      await paste(page, text);
      await page.waitForFunction((vin) => document.querySelector('input')?.value === vin, JEEP);
      await field(page).fill('');
    }
    await paste(page, `${JEEP} or ${FORD}`);
    const compare = page.getByRole('link', { name: 'Compare these two' });
    assert.equal(await compare.getAttribute('href'), `/compare?vins=${JEEP},${FORD}`);
    await page.getByRole('button', { name: FORD }).click();
    assert.equal(await field(page).inputValue(), FORD);
    await field(page).fill('1FMUK8DH0TG$0000€');
    assert.equal(await page.locator('.vin-wrong:visible').count(), 2);
    await page.goto('/find?vin=' + encodeURIComponent(`${JEEP} or ${FORD}`));
    assert.equal(await heading(page), 'Two VINs in this text');
    assert.equal(await page.getByRole('link', { name: 'Compare these two' }).isVisible(), true);
  },

  async 'more than 17 characters stay readable'(page) {
    await page.goto('/');
    await field(page).fill(`${JEEP}12345`);
    const fits = (input: Element) => input.scrollWidth <= input.clientWidth;
    // The script has looked for a VIN in the text.
    await page.getByText('5 characters too many').waitFor();
    assert.equal(await field(page).evaluate(fits), true);
    await page.goto(`/find?vin=${JEEP}12345`);
    assert.equal(await field(page).evaluate(fits), true);
  },

  async 'the button promises a sticker only if the make publishes them'(page) {
    await page.goto('/');
    await field(page).fill(HONDA);
    await page.getByRole('button', { name: 'See what the VIN says' }).waitFor();
    await field(page).fill(JEEP);
    await page.getByRole('button', { name: 'Find the sticker' }).waitFor();
  },

  async 'the VIN field on the 404 page works'(page) {
    await page.goto('/nope');
    assert.equal(await heading(page), 'There’s no page here');
    await field(page).fill(`VIN: ${JEEP}`);
    await page.getByRole('button', { name: 'Find the sticker' }).click();
    await page.waitForURL(`/window-sticker/${JEEP}`);
  },

  async 'the field in the header decodes, scans and leads to a make’s page'(page) {
    await page.goto('/docs/privacy');
    const header = page.getByLabel('Look up a VIN');
    await header.fill('1FMUK8DH0TG');
    await page.locator('.top .vin-decoded', { hasText: '2026 Ford Explorer' }).waitFor();
    assert.equal(
      await page.locator('.top').getByRole('button', { name: 'Scan the bar code' }).isVisible(),
      true,
    );
    assert.deepEqual(await violations(page), []);
    await header.fill('Toyota');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.waitForURL('/makes/toyota');
  },

  async 'of VINs that could be meant, the one with the missing last character comes first'(page) {
    await page.goto(`/find?vin=${JEEP.slice(0, -1)}`);
    assert.match(await page.locator('.vin-list a').first().innerText(), new RegExp(`^${JEEP.slice(0, -1)}`));
    await page.goto(`/find?vin=${encodeURIComponent('1С4RJHBR7TC000000')}`);
    assert.equal(await heading(page), 'VINs use only A–Z and 0–9');
  },

  async 'the contact page has a report to copy, also if nobody published an address'(page) {
    await page.goto('/');
    await page.locator('footer').getByRole('link', { name: 'Contact' }).click();
    assert.match(await page.locator('.lead').innerText(), /hasn’t published an address/);
    await page.getByRole('button', { name: 'Copy the report' }).click();
    await isCopied(page, 'VIN:');
    assert.deepEqual(await violations(page), []);
  },

  async 'the price bar highlights its lines, and a line shows where it is printed'(page, { width }) {
    await page.goto(`/window-sticker/${JEEP}`);
    const fullWidth = await loupeWidth(page);
    await page.getByRole('link', { name: /^Options/ }).focus();
    assert.equal(await page.locator('#part-options.lit').count(), 1);
    assert.equal(await page.locator('#part-base.lit').count(), 0);
    await page.getByRole('link', { name: /^Destination \$/ }).focus();
    assert.equal(await page.locator('#part-options.lit').count(), 0);
    await page.locator('.slice[data-line="#line-3"]').hover();
    assert.match(await page.locator('tr.pointed').innerText(), /Customer Preferred Package/);
    assert.ok((await loupeWidth(page)) < fullWidth / 2);
    assert.match(await page.locator('.loupe').innerText(), /Customer Preferred Package.*, as printed/);
    assert.equal(await page.locator('tr.pointed + .loupe-row').count(), width < 720 ? 1 : 0);
    assert.equal(await page.locator('#line-3').isVisible(), true);
    // Keyboard focus keeps its line when the mouse leaves another.
    await page.locator('a.line', { hasText: 'Delete Spare Tire' }).focus();
    await page.mouse.move(0, 0);
    await page.waitForTimeout(600);
    assert.match(await page.locator('tr.pointed').innerText(), /Delete Spare Tire/);
    assert.deepEqual(await violations(page), []);
  },

  async 'a page can be shared and copied, and a misreading reported'(page) {
    await page.getByRole('button', { name: 'Copy VIN' }).click();
    await isCopied(page, JEEP);
    const compare = page.getByRole('link', { name: 'Compare with another car' });
    const before = await compare.boundingBox();
    await page.getByRole('button', { name: 'Share' }).click();
    await isCopied(page, `${service.origin}/window-sticker/${JEEP}`);
    await page.getByText('Link copied').waitFor();
    assert.deepEqual(await compare.boundingBox(), before);
    assert.equal(await page.getByRole('link', { name: 'Download' }).isVisible(), true);
    await page.getByRole('button', { name: 'Copy the report' }).click();
    await isCopied(page, `VIN: ${JEEP}\n`);
  },

  async 'a printed page shows collapsed sections and the URL'(page) {
    await page.emulateMedia({ media: 'print' });
    for (const item of await page.locator('.folds details li').all())
      assert.equal(await item.isVisible(), true, await item.innerText());
    assert.match(await page.locator('.print-url').innerText(), new RegExp(`/window-sticker/${JEEP}$`));
    assert.equal(await page.locator('.label img').isVisible(), true);
    assert.equal(await page.getByRole('img', { name: 'QR code of this page' }).isVisible(), true);
    for (const hidden of ['.top', '.foot', '.use', '.report', '.loupe', '.asking-price'])
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    for (const shown of ['.answer', '.notice'])
      for (const element of await page.locator(shown).all())
        assert.equal(await element.isVisible(), true, shown);
    const breaks = await page
      .locator('.fact-box')
      .evaluateAll((boxes) => boxes.map((box) => getComputedStyle(box).breakInside));
    assert.deepEqual(new Set(breaks), new Set(['avoid']));
    // The dark colors are for screens only.
    const soft = page.locator('.fact-list dt').first();
    assert.equal(await soft.evaluate((element) => getComputedStyle(element).color), 'rgb(80, 78, 71)');
  },

  async 'recent lookups are offered, and cleared on request'(page) {
    await page.goto('/compare');
    assert.equal(await page.locator(`#recent-vins option[value="${JEEP}"]`).count(), 1);
    await page.goto('/');
    assert.equal(await page.getByRole('link', { name: JEEP }).isVisible(), true);
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.reload();
    assert.equal(await page.getByText('Recent lookups').isVisible(), false);
  },

  async 'a picture sticker is as wide as the page, above the facts of the VIN, and zooms'(page) {
    await page.goto(`/window-sticker/${NISSAN}`);
    const sheet = (await page.locator('.sheet').boundingBox())!;
    assert.match(
      await page.locator('.answer').innerText(),
      /^This sticker is a picture without text, so we can’t/,
    );
    const ruler = (await page.locator('.vin').boundingBox())!;
    const facts = (await page.locator('.facts').boundingBox())!;
    assert.ok(sheet.y < 422 && sheet.y + sheet.height < ruler.y && ruler.y + ruler.height < facts.y);
    assert.ok(Math.abs(sheet.width - ruler.width) < 0.5, 'the sticker is as wide as the page');
    assert.match(await page.locator('.facts').innerText(), /2\.0 L, gasoline/);
    assert.equal(await page.getByRole('link', { name: 'How to read a window sticker' }).isVisible(), true);
    assert.equal(await page.getByText('Something wrong with this sticker?').isVisible(), true);
    await page.getByRole('link', { name: 'Zoom in on the sticker' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
  },

  async 'the sample on the home page is as high as its picture'(page) {
    await page.goto('/');
    const sheet = (await page.locator('.six-ten > .sheet-link').boundingBox())!;
    const picture = (await page.locator('.six-ten > .sheet-link img').boundingBox())!;
    // Its border and padding.
    assert.ok(sheet.height - picture.height < 17, `${sheet.height - picture.height} px are empty`);
  },

  async 'a comparison explains the price difference, or what is missing'(page) {
    await page.goto(`/compare?vins=${JEEP},${FORD}`);
    assert.equal(
      await heading(page),
      'The 2026 Grand Cherokee Limited cost $2,205 more than the 2026 Explorer Active',
    );
    assert.match(
      await page.locator('.lead').innerText(),
      /^This includes samples, [^.]+\. The .+ compared with the .+: /,
    );
    await page.getByRole('button', { name: 'Share' }).click();
    await isCopied(page, `${service.origin}/compare?vins=${JEEP},${FORD}`);
    assert.deepEqual(await violations(page), []);
    await page.goto(`/compare?vins=${JEEP},${HONDA}`);
    assert.match(
      await page.locator('.lead').innerText(),
      /^This includes samples, [^.]+\. The Accord has no sticker: Honda doesn’t publish/,
    );
    assert.equal(await page.getByText('$52,615').isVisible(), true);
    assert.equal(await page.getByRole('heading', { name: 'Honda' }).getByRole('link').isVisible(), true);
  },

  async 'four cars are compared on one scale, with asking prices that travel with the link'(page, { width }) {
    const vins = [JEEP, FORD, '1G1YB2D43S5000000', '5NMJECDE7TH000000'];
    await page.goto(`/compare?vins=${vins.join()}#asking=,40000`);
    const rows = page.locator('.car-rows > li');
    assert.equal(await rows.count(), 4);
    const field = rows.nth(1).getByLabel('Asking price');
    await rows.nth(1).locator('.asking-price strong').waitFor();
    assert.equal(await field.inputValue(), '40000');
    assert.match(await rows.nth(1).getByRole('status').innerText(), /^\d+% less than new/);
    const perDollar = await page.locator('.car-rows .bar-drawing').evaluateAll((bars) =>
      bars.map((bar) => {
        const width = bar.querySelector('.bar-total')!.getBoundingClientRect().width;
        const price = bar.closest('li')!.querySelector('.car-row-price strong')!.textContent;
        return (width / Number(price.replace(/\D/g, ''))) * 1000;
      }),
    );
    assert.equal(perDollar.length, 4);
    for (const ratio of perDollar) assert.ok(Math.abs(ratio - perDollar[0]!) < 0.1, String(perDollar));
    await rows.nth(0).getByLabel('Asking price').fill('$45,000');
    assert.equal(await page.evaluate(() => location.hash), '#asking=45000,40000,,');
    // On a phone each car has a row of its own in every line; elsewhere a column.
    const [first, second] = await page.locator('.lines tbody tr:not(.part) td').all();
    const [one, other] = [(await first!.boundingBox())!, (await second!.boundingBox())!];
    assert.equal(other.y > one.y, width < 720);
    // An amount is never broken, and on a phone the difference stands beside the line's name.
    const pieces = await page
      .locator('.lines strong')
      .evaluateAll((all) => all.map((amount) => amount.getClientRects().length));
    assert.deepEqual(new Set(pieces), new Set([1]));
    const line = page.locator('.lines tbody tr:not(.part)').first();
    const name = (await line.locator('th').boundingBox())!;
    const difference = (await line.locator('strong').boundingBox())!;
    assert.ok(Math.abs(difference.y - name.y) < 24, 'the difference is on the line of the name');
    assert.deepEqual(await violations(page), []);
  },

  async 'the names of the compared cars stay in view, and a printed comparison has one total'(page) {
    await page.goto(`/compare?vins=${JEEP},${FORD}`);
    await page.locator('.lines tfoot').scrollIntoViewIfNeeded();
    await page.locator('.lines tfoot').evaluate((foot) => foot.scrollIntoView({ block: 'center' }));
    const head = page.locator('.lines thead').first();
    assert.equal(await head.evaluate((row) => row.getBoundingClientRect().top), 0);
    assert.match(await head.innerText(), /Grand Cherokee/);
    await page.emulateMedia({ media: 'print' });
    // A footer group would be repeated on every page.
    const display = await page.locator('tfoot').evaluate((foot) => getComputedStyle(foot).display);
    assert.equal(display, 'table-row-group');
  },

  async 'the page waits for a slow source'(page, { index }) {
    const vin = `${ford.example.slice(0, -1)}${index}`;
    source.pause();
    await page.goto(`/window-sticker/${vin}?as=typed`);
    assert.match(await page.getByRole('status').innerText(), /asking Ford/i);
    assert.equal(await overflow(page), 0);
    source.resume(labelOf(ford, new URL(ford.urls[0]!).host, vin));
    await page.getByText('Price and options').waitFor();
    await page.getByLabel('Names as printed on the sticker').check();
    assert.equal(await page.locator('.name-plain:visible').count(), 0);
    assert.ok((await page.locator('.fact-box .name-printed:visible').count()) > 0);
  },

  async 'every make has a page, and variants of its URL redirect'(page) {
    for (const [typed, canonical] of [
      ['/makes/Ford', '/makes/ford'],
      ['/make/ford', '/makes/ford'],
      ['/makes/tesla', '/makes/tesla'],
    ] as const) {
      await page.goto(typed);
      assert.equal(new URL(page.url()).pathname, canonical);
      assert.match(await heading(page), / window stickers$/);
      assert.equal(await field(page).isVisible(), true);
    }
    assert.equal(await page.getByText('What you can do instead').isVisible(), true);
    await field(page).fill(JEEP);
    await page.getByRole('button', { name: 'See what the VIN says' }).click();
    await page.waitForURL(`/window-sticker/${JEEP}`);
  },

  async 'a guide shows a sticker and ends with the VIN field, without the developers’ contents'(page) {
    await page.goto('/docs/monroney-label');
    assert.equal(await page.getByRole('navigation', { name: 'Documentation' }).count(), 0);
    assert.equal(await page.getByRole('img', { name: /^A sample/ }).isVisible(), true);
    assert.deepEqual(await violations(page), []);
    await field(page).fill(JEEP);
    await page.getByRole('button', { name: 'Find the sticker' }).click();
    await page.waitForURL(`/window-sticker/${JEEP}`);
  },

  async 'the guide numbers the parts of a sample and explains each'(page) {
    await page.goto('/docs/how-to-read-a-sticker');
    await page.getByRole('link', { name: '7: Total price' }).click();
    assert.equal(await page.evaluate(() => location.hash), '#part-7');
    assert.match(await page.locator('.parts > li:target').innerText(), /^Total price/);
    assert.equal(await page.locator('.parts > li .crop:visible').count(), PARTS.length);
    const sizes = await page
      .locator('.annotated circle')
      .evaluateAll((all) => all.map((circle) => circle.getBoundingClientRect().width));
    assert.ok(Math.min(...sizes) >= 24, `numbers of ${Math.min(...sizes)} px`);
    assert.deepEqual(await violations(page), []);
  },

  async 'the status page names every source'(page) {
    await page.goto('/status');
    assert.equal(await page.locator('.source').count(), sources.length);
    assert.equal(await page.locator('.source .now:visible').count(), sources.length);
  },

  async 'the API console accepts any VIN and shows three languages'(page) {
    await page.goto('/docs/api');
    assert.deepEqual(await violations(page, 'target-size'), []);
    const lookup = page.locator('#getVin');
    await lookup.getByLabel('Try it with any VIN').fill(HONDA);
    await lookup.getByRole('button', { name: 'Send' }).click();
    await lookup.getByText('"make": "HONDA"').waitFor();
    const response = (await lookup.locator('figure').nth(1).boundingBox())!;
    assert.ok(response.y >= 0 && response.y + response.height <= 900, 'the response is in view');
    for (const [language, code] of [
      ['curl', 'curl http'],
      ['JavaScript', 'await fetch('],
      ['Python', 'requests.get('],
    ] as const) {
      await lookup.getByLabel(language).check();
      await lookup.locator('figure').first().getByRole('button').click();
      await isCopied(page, code);
      await isCopied(page, `/api/v1/vin/${HONDA}`);
    }
  },

  async 'the list of operations is grouped and marks the one being read'(page, { width }) {
    await page.goto('/docs/api#getPreview');
    const list = page.getByRole('navigation', { name: 'On this page' });
    const current = (name: string) => list.locator('[aria-current]', { hasText: name });
    await current('Get a picture of the window sticker').waitFor();
    await page.goto('/docs/api#vpicDecodeVin');
    await current('Decode a VIN to a list').waitFor({ state: 'attached' });
    assert.equal(await list.locator('[aria-current]').count(), 1);
    assert.equal(await current('Decode a VIN to a list').isVisible(), width >= 1024);
    assert.equal(await page.locator('#vpicDecodeVin').getByRole('button', { name: 'Copy' }).count(), 2);
  },
});
