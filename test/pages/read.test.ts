import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { FileChooser, Page } from 'playwright-core';
import sharp from 'sharp';
import { readLabel } from '../../packages/label/src/index.ts';
import { encrypted, printed } from '../../tools/drill/hostile-pdfs.ts';
import { overflow, screenshot, violations, visit, withoutBrowser } from './browser.ts';
import { browser, pageTest, service } from './site.ts';
import { VIEWS } from './views.ts';

/** The page that reads the PDF of a sticker in the browser. */

const skip = withoutBrowser;
const FORD = '1FMUK8DH0TG000000';
const NISSAN = '3N8AP6DA9SL000000';
const specimen = (vin: string): Buffer =>
  readFileSync(new URL(`../../src/lookup/specimens/${vin}.pdf`, import.meta.url));

interface Chosen {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const pdf = (buffer: Buffer, name = 'sticker.pdf'): Chosen => ({ name, mimeType: 'application/pdf', buffer });

const fileField = (page: Page) => page.getByLabel('Sticker as a PDF');
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });
const EXPLORER = '2026 Ford Explorer Active 4WD';

async function readFord(page: Page): Promise<void> {
  await page.goto('/read');
  await fileField(page).setInputFiles(pdf(specimen(FORD)));
  await heading(page, EXPLORER).waitFor();
}

pageTest('a sticker is read without sending anything, and again without a connection', async ({ page }) => {
  const requests: string[] = [];
  page.context().on('request', (request) => {
    const { pathname, search, protocol } = new URL(request.url());
    if (protocol === 'blob:') return;
    requests.push(`${request.method()} ${pathname}${search} ${request.postData() ?? ''}`.trim());
  });
  await readFord(page);
  assert.ok(requests.some((request) => /^GET \/assets\/pdfium-[\d.]+\.wasm$/.test(request)));
  // The decoder's data comes in parts, by manufacturer.
  const others = requests.filter(
    (request) => !/^GET \/(?:assets\/[\w./-]+|read|favicon\.svg)$/.test(request) || request.includes(FORD),
  );
  assert.deepEqual(others, []);

  await page.context().setOffline(true);
  const before = requests.length;
  await fileField(page).setInputFiles(pdf(specimen(FORD), 'again.pdf'));
  await page.getByText('again.pdf, 24 KB').waitFor();
  await heading(page, EXPLORER).waitFor();
  assert.deepEqual(requests.slice(before), []);
});

pageTest('it shows what the page of the same sticker shows', async ({ page }) => {
  const shown = () =>
    page.evaluate(() => {
      // Only a stored sticker's page has a link that an asking price could be shared with.
      document.querySelector('.asking-price')?.remove();
      return ['.answer', '.vin-run', '.facts', '.price-bar', '.says', '.fact-boxes', '.folds'].map(
        (part) => document.querySelector<HTMLElement>(part)!.innerText,
      );
    });
  await page.goto(`/window-sticker/${FORD}`);
  const stored = await shown();
  await readFord(page);
  assert.deepEqual(await shown(), stored);
});

pageTest('pointing at a line shows where it is printed', async ({ page }) => {
  await readFord(page);
  const line = page.getByRole('link', { name: 'Trailer Tow Package' });
  await line.focus();
  const frame = page.locator('.frames rect.shown');
  await frame.waitFor();
  assert.equal(`#${await frame.getAttribute('id')}`, await line.getAttribute('href'));
  await page.getByText('Trailer Tow Package, as printed on the sticker.').waitFor();
  const drawn = await page.locator('.loupe image').first().getAttribute('href');
  assert.equal(drawn, await page.locator('.sheet img').getAttribute('src'));
  await page.getByRole('link', { name: 'Zoom in on the sticker' }).click();
  await page.getByRole('dialog').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
});

pageTest('the picture is the first page of the file', async ({ page }) => {
  await readFord(page);
  const image = page.locator('.sheet img');
  const pixels = await image.evaluate(async (element: HTMLImageElement) => {
    await element.decode();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 64, height: 40 });
    const context = canvas.getContext('2d')!;
    context.drawImage(element, 0, 0, 64, 40);
    return { width: element.naturalWidth, colors: new Set(context.getImageData(0, 0, 64, 40).data).size };
  });
  assert.equal(pixels.width, 1920);
  assert.ok(pixels.colors > 20, `${pixels.colors} shades`);
});

pageTest('the label is downloaded as the JSON that the package returns', async ({ page }) => {
  await readFord(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as JSON' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `${FORD}.json`);
  const data: unknown = JSON.parse(await readFile(await download.path(), 'utf8'));
  assert.deepEqual(data, JSON.parse(JSON.stringify(await readLabel(specimen(FORD)))));
});

pageTest('the keyboard is enough, and the result is announced and gets the focus', async ({ page }) => {
  await page.goto('/read');
  // The script shows it, and what is hidden gets no focus.
  await fileField(page).waitFor();
  await fileField(page).focus();
  // While it draws the page, Chromium may drop what is typed, and then somebody types it again.
  const opened = page.waitForEvent('filechooser');
  let chooser: FileChooser | null;
  do {
    await page.keyboard.press('Enter');
    const drawn = page.evaluate(
      () => new Promise<null>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
    );
    chooser = await Promise.race([opened, drawn]);
  } while (!chooser);
  await chooser.setFiles(pdf(specimen(FORD)));
  await page
    .getByRole('status')
    .filter({ hasText: `${EXPLORER}, $50,410 when new.` })
    .waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), EXPLORER);
});

pageTest('a file can be dropped anywhere on the page', async ({ page }) => {
  await page.goto('/read');
  await page.evaluate((base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], 'dropped.pdf', { type: 'application/pdf' }));
    for (const type of ['dragover', 'drop'])
      document
        .querySelector('footer')!
        .dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, specimen(FORD).toString('base64'));
  await page.getByText('dropped.pdf, 24 KB').waitFor();
});

pageTest(
  'what can’t be read gets a sentence that says what to do, and the next file is read',
  async ({ page }) => {
    const jpeg = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#888' } })
      .jpeg()
      .toBuffer();
    const letter = printed(['Dear customer,', 'thank you for your letter.']);
    const files: [Chosen, headline: string, advice: RegExp, drawn: boolean][] = [
      [
        { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: jpeg },
        'This is a picture, and we can only read PDFs',
        /Choose the PDF that the manufacturer/,
        false,
      ],
      [
        { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('VIN\n') },
        'This isn’t a PDF',
        /Choose the PDF of a window sticker/,
        false,
      ],
      [pdf(Buffer.from('%PDF-1.7\nnothing')), 'This PDF is damaged', /Download it again/, false],
      [pdf(encrypted(['TOTAL'])), 'This PDF is locked with a password', /print it to a new PDF/, false],
      [
        pdf(specimen(NISSAN), `${NISSAN}.pdf`),
        'This sticker is a picture without text',
        /zoom in below/,
        true,
      ],
      [pdf(letter), 'We don’t recognize this as a window sticker', /not a dealer’s summary/, true],
      [pdf(Buffer.alloc(41 * 2 ** 20)), 'This file is too large', /Choose the PDF of one sticker/, false],
    ];
    await page.goto('/read');
    for (const [file, headline, advice, drawn] of files) {
      await fileField(page).setInputFiles(file);
      await heading(page, headline).waitFor();
      assert.match(await page.locator('.state').innerText(), advice);
      assert.equal(await page.getByRole('status').textContent(), `${headline}.`);
      assert.equal(await page.locator('.sheet img').count(), drawn ? 1 : 0, headline);
      assert.deepEqual(await violations(page), []);
    }
    await fileField(page).setInputFiles(pdf(specimen(FORD)));
    await heading(page, EXPLORER).waitFor();
  },
);

test('a reader that can’t be loaded is said, and loaded with the next file', { skip }, async () => {
  const { page } = await visit(browser, service.origin);
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto('/read');
  await fileField(page).setInputFiles(pdf(specimen(FORD)));
  await page.getByText('We couldn’t load the PDF reader.').waitFor();
  await page.unroute('**/*.wasm');
  await fileField(page).setInputFiles(pdf(specimen(FORD)));
  await heading(page, EXPLORER).waitFor();
  await page.context().close();
});

for (const { name, options } of [
  ...VIEWS,
  { name: '320 px, light', options: { viewport: { width: 320, height: 700 } } },
])
  pageTest(
    `${name}: a sticker that was read is accessible and fits`,
    async ({ page }) => {
      await readFord(page);
      await page.waitForFunction(() => [...document.images].every((image) => image.complete));
      await screenshot(page, `read-${name.replace(' px, ', '-')}`);
      assert.deepEqual(await violations(page), []);
      assert.equal(await overflow(page), 0);
    },
    options,
  );

pageTest(
  'without a script the page says so',
  async ({ page }) => {
    await page.goto('/read');
    const notice = page.locator('noscript .notice');
    assert.ok(await notice.isVisible());
    assert.match((await notice.textContent())!, /This page needs JavaScript/);
    assert.equal(await fileField(page).isVisible(), false);
  },
  { javaScriptEnabled: false },
);

test('only the worker may compile WebAssembly, and the page may connect to nothing', { skip }, async () => {
  const policyOf = async (path: string) =>
    (await fetch(service.origin + path)).headers.get('content-security-policy')!;
  const policy = await policyOf('/read');
  assert.match(policy, /script-src 'self';.*connect-src 'none';.*worker-src 'self'/);
  assert.doesNotMatch(policy, /wasm|unsafe/);
  for (const path of ['/', `/window-sticker/${FORD}`, '/docs'])
    assert.match(await policyOf(path), /script-src 'self';(?!.*worker-src)/);
  const html = await (await fetch(`${service.origin}/read`)).text();
  assert.match(await policyOf(/data-read="([^"]+)"/.exec(html)![1]!), /script-src 'self' 'wasm-unsafe-eval'/);
  const posted = await fetch(`${service.origin}/read`, { method: 'POST', body: 'a file' });
  assert.equal(posted.status, 405);
});
