import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startSimulator, type Simulator } from '../../tools/simulator/simulator.ts';
import { readText } from '../../src/tables/browser.ts';
import { MAX_REQUESTS, WINDOW_MS } from '../../src/pages/inventory/pace.ts';
import { eventually, newVin } from '../operator.ts';
import { workbook } from '../small-workbook.ts';
import { PATIENT, startService, type Service } from '../service.ts';
import { openBrowser, overflow, screenshot, violations, visit, withoutBrowser } from './browser.ts';

/** A dealer's list. The page's clock is the test's, so the minutes that its pace takes don't pass. */

const skip = withoutBrowser;
const FORD = '1FMUK8DH0TG000000';
const JEEP = '1C4RJHBR7TC000000';
const HONDA = '1HGCV3F53MA000000';

let browser: Browser;
let service: Service;
let simulator: Simulator;
before(async () => {
  if (withoutBrowser) return;
  simulator = await startSimulator();
  service = await startService({ SOURCE_ORIGIN: simulator.origin, LIMIT: 'off' }, PATIENT);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await service?.close();
  await simulator?.close();
});

const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);
const status = (page: Page) => page.locator('.lot-state');

/** The page with a list. Requests that fail are what it is about. */
async function openPage(width = 1280) {
  const { page, problems } = await visit(browser, service.origin, { viewport: { width, height: 900 } });
  await page.clock.install();
  await page.goto('/inventory');
  await page.locator('textarea').waitFor();
  return { page, problems: () => problems.filter((problem) => !problem.startsWith('missing')) };
}

async function paste(page: Page, text: string): Promise<void> {
  await page.locator('textarea').fill(text);
  await page.getByRole('button', { name: 'Look up' }).click();
}

/** Lets the page's time pass until all cars are done. */
async function untilDone(page: Page): Promise<void> {
  while (!(await status(page).textContent())!.startsWith('Done')) await page.clock.runFor(1000);
}

async function downloaded(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return readFile(await download.path(), 'utf8');
}

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

test('sixty cars, half of them new, while one source fails', { skip }, async () => {
  const stored = times(30, () => newVin('ford'));
  for (const vin of stored) await (await service.get(`/api/v1/vin/${vin}`)).text();
  const [failing, fresh] = [times(15, () => newVin('stellantis')), times(15, () => newVin('gm'))];
  simulator.set('stellantis', 'server-error');
  const { page, problems } = await openPage();
  const rows = [...failing, ...fresh, ...stored].map((vin, index) => `${index},${vin},"$40,000"`);
  await choose(page, 'stock.csv', Buffer.from(`Stock,VIN,Price\n${rows.join('\n')}\n`));
  await page.locator('tr[data-vin]').nth(59).waitFor();
  await untilDone(page);
  assert.equal(await status(page).textContent(), 'Done: 60 of 60 cars, 45 with a sticker.');
  await page.getByRole('heading', { name: /^We couldn’t get an answer from .* \(15\)$/ }).waitFor();
  const { columns, rows: written } = readText(await downloaded(page, 'Download CSV'));
  assert.equal(written.length, 60);
  const states = written.map((row) => row[columns.indexOf('vin_sticker')]);
  assert.deepEqual(states, [...Array<string>(15).fill('unknown'), ...Array<string>(45).fill('available')]);

  simulator.set('stellantis', 'label');
  await page.getByRole('button', { name: 'Ask again' }).click();
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Pause');
  await untilDone(page);
  assert.deepEqual(problems(), []);
  await page.context().close();
});

test('a list is paused, left, continued and forgotten', { skip }, async () => {
  const { page, problems } = await openPage();
  await paste(page, times(20, () => newVin('gm')).join('\n'));
  await page.locator('tr[data-vin]').nth(19).waitFor();
  await status(page)
    .getByText(/of 20 cars, \d+ with a sticker · about a minute left/)
    .waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await status(page).getByText('· paused').waitFor();
  await page.reload();
  await status(page).getByText('· paused').waitFor();
  assert.equal(await page.locator('tr[data-vin]').count(), 20);
  await page.getByRole('button', { name: 'Continue' }).click();
  await untilDone(page);
  assert.match((await status(page).textContent())!, /20 of 20 cars, 20 with a sticker/);
  await page.getByRole('button', { name: 'Forget this list' }).click();
  await page.reload();
  await page.locator('textarea').waitFor();
  assert.equal(await page.locator('tr[data-vin]').count(), 0);
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  assert.deepEqual(problems(), []);
  await page.context().close();
});

test('leaving and coming back sends no more requests than the pace allows', { skip }, async () => {
  const { page, problems } = await openPage();
  const sent: string[] = [];
  page.on('request', (request) => request.url().includes('/api/') && sent.push(request.url()));
  await page.clock.pauseAt(Date.parse('2036-11-18T12:00:00Z'));
  await paste(page, times(20, () => newVin('gm')).join('\n'));
  await eventually(
    async () => sent.length,
    (count) => count === MAX_REQUESTS,
  );
  await page.reload({ waitUntil: 'networkidle' });
  await status(page).getByText('of 20 cars').waitFor();
  assert.equal(sent.length, MAX_REQUESTS);
  await page.clock.runFor(WINDOW_MS);
  await eventually(
    async () => sent.length,
    (count) => count === 2 * MAX_REQUESTS,
  );
  assert.deepEqual(problems(), []);
  await page.context().close();
});

test(
  'two tabs share a list: one works, the other shows it, and what one of them ends ends in both',
  { skip },
  async () => {
    const { page, problems } = await openPage();
    await page.clock.pauseAt(Date.parse('2036-11-18T12:00:00Z'));
    await paste(page, times(20, () => newVin('gm')).join('\n'));
    await status(page).getByText('about a minute left').waitFor();
    const other = await page.context().newPage();
    const sent: string[] = [];
    other.on('request', (request) => request.url().includes('/api/') && sent.push(request.url()));
    await other.goto(`${service.origin}/inventory`);
    await status(other).getByText('of 20 cars').waitFor();
    await page.clock.runFor(WINDOW_MS);
    const words = /(?:9|1\d) of 20 cars, \d+ with a sticker/;
    await status(page).getByText(words).waitFor();
    await status(other).getByText(words).waitFor();
    assert.deepEqual(sent, [], 'only one of them sends requests');
    await other.getByRole('button', { name: 'Pause' }).click();
    await status(page).getByText('· paused').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await status(other)
      .getByText(/about|few/)
      .waitFor();
    await other.getByRole('button', { name: 'Forget this list' }).click();
    await page.locator('.lot-progress').waitFor({ state: 'hidden' });
    await page.clock.runFor(3 * WINDOW_MS);
    assert.equal(await page.evaluate(() => localStorage.getItem('monroney.inventory')), null);
    assert.deepEqual(problems(), []);
    await page.context().close();
  },
);

test('the column with the prices can be chosen, with the keyboard alone', { skip }, async () => {
  const { page, problems } = await openPage();
  await page.locator('textarea').fill(`VIN\tCost\tInternet\n${FORD}\t$45,000\t$49,995`);
  await page.locator('textarea').press('Tab');
  await page.keyboard.press('Enter');
  await untilDone(page);
  const row = page.locator(`tr[data-vin="${FORD}"]`);
  assert.doesNotMatch(await row.innerText(), /\$415/);
  const select = page.getByLabel('Your price');
  assert.equal(await select.inputValue(), '');
  await select.focus();
  await page.keyboard.type('Int');
  await row.getByText('−$415').waitFor();
  assert.match(await downloaded(page, 'Download CSV'), /,-415,/);
  await page.reload();
  await row.getByText('−$415').waitFor();
  assert.deepEqual(problems(), []);
  await page.context().close();
});

test('each car has its snippets, and all are in one file', { skip }, async () => {
  const { page, problems } = await openPage();
  await paste(page, `VIN\tPrice\n${FORD}\t$49,995\n${HONDA}\t$20,000`);
  await untilDone(page);
  assert.match(await page.locator(`tr[data-vin="${FORD}"]`).innerText(), /\$50,410.*\$49,995.*−\$415/s);
  await page.getByRole('button', { name: `Card and badge of ${FORD}`, expanded: false }).click();
  await page.getByRole('button', { name: `Card and badge of ${FORD}`, expanded: true }).waitFor();
  const [card, badge] = await page.locator('.lot-snippets code').allTextContents();
  assert.match(card!, new RegExp(`^<iframe src="[^"]+/embed/${FORD}"`));
  assert.match(
    badge!,
    new RegExp(`^<a href="[^"]+/window-sticker/${FORD}"><img src="[^"]+/badge/${FORD}.svg"`),
  );
  const file = await downloaded(page, 'Download cards and badges');
  assert.ok(file.includes(card!) && file.includes(badge!) && file.includes(`/embed/${HONDA}`));
  await page.getByRole('heading', { name: 'Honda doesn’t publish window stickers (1)' }).waitFor();
  assert.deepEqual(problems(), []);
  await page.context().close();
});

test('what can’t be read gets a sentence, and the next list is read', { skip }, async () => {
  const { page, problems } = await openPage();
  const alert = page.getByRole('alert');
  const says = async (expected: RegExp) => {
    await alert.filter({ hasText: expected }).waitFor();
    assert.deepEqual(await violations(page), []);
  };
  await choose(page, 'photo.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]));
  await says(/^This is a picture/);
  await choose(page, 'program.exe', Buffer.from([0x4d, 0x5a, 0, 0, 1]));
  await says(/^This file isn’t a table/);
  await choose(page, 'colors.csv', Buffer.from('Stock,Color\n1,red\n'));
  await says(/^There are no VINs here/);
  await page.getByRole('button', { name: 'Look up' }).click();
  await says(/^Paste VINs or a table first/);
  await choose(page, 'many.csv', Buffer.from(`VIN\n${`${FORD}\n`.repeat(20_000)}`));
  await page.getByText('Your list has 20,000 rows. These are the first 500').waitFor();
  await page.getByText('499 rows repeat a VIN. Each car is listed once.').waitFor();
  assert.equal(await alert.isVisible(), false);
  await untilDone(page);
  assert.deepEqual(problems(), []);
  await page.context().close();
});

test('a workbook with several sheets asks which', { skip }, async () => {
  const { page, problems } = await openPage();
  await choose(page, 'lot.xlsx', workbook({ New: [['VIN'], [FORD]], Used: [['VIN'], [JEEP]] }));
  await page.getByText('Several sheets of this workbook have VINs. Choose one.').waitFor();
  await page.getByRole('button', { name: 'Used' }).click();
  await page.locator(`tr[data-vin="${JEEP}"]`).waitFor();
  assert.equal(await page.locator('tr[data-vin]').count(), 1);
  assert.deepEqual(problems(), []);
  await page.context().close();
});

for (const width of [390, 1280])
  test(`a list is accessible and fits, at ${width} px`, { skip }, async () => {
    const { page, problems } = await openPage(width);
    await screenshot(page, `inventory-empty-${width}`);
    assert.deepEqual(await violations(page), []);
    await paste(page, `VIN\tPrice\n${FORD}\t$49,995\n${HONDA}\t$20,000\n${JEEP}\t$60,000\nnothing\t`);
    await untilDone(page);
    await page.getByRole('button', { name: `Card and badge of ${FORD}` }).click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await screenshot(page, `inventory-${width}-${colorScheme}`);
      assert.deepEqual(await violations(page), []);
      assert.equal(await overflow(page), 0);
    }
    assert.deepEqual(problems(), []);
    await page.context().close();
  });

test('without a script the page says so', { skip }, async () => {
  const { page } = await visit(browser, service.origin, { javaScriptEnabled: false });
  await page.goto('/inventory');
  assert.match((await page.locator('noscript .notice').textContent())!, /This page needs JavaScript/);
  assert.equal(await page.locator('textarea').isVisible(), false);
  await page.context().close();
});
