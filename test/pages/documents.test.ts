import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type Service } from '../service.ts';
import { assertSound, openBrowser, screenshot, visit, withoutBrowser } from './browser.ts';
import { recordBusyDay } from './busy-day.ts';
import { sources } from '../../src/makers/index.ts';

const skip = withoutBrowser;
const WIDTHS = [320, 390, 1280, 2560];

/** Every kind of documentation page. */
const PAGES: Record<string, string> = {
  status: '/status',
  makes: '/makes',
  'make-ford': '/makes/ford',
  'make-kia': '/makes/kia',
  'make-lexus': '/makes/lexus',
  docs: '/docs',
  api: '/docs/api',
  'getting-started': '/docs/getting-started',
  limits: '/docs/limits',
  privacy: '/docs/privacy',
  specimens: '/docs/specimens',
  errors: '/docs/errors',
  'error-no-label': '/errors/no-label',
  connect: '/connect',
};

let browser: Browser;
let service: Service;
let idleService: Service;
before(async () => {
  if (skip) return;
  service = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9', LIMIT: 'off' });
  await recordBusyDay(service.runtime);
  idleService = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9', LIMIT: 'off' });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await service?.close();
  await idleService?.close();
});

for (const [name, path] of Object.entries(PAGES)) {
  for (const width of WIDTHS) {
    test(`${name} at ${width} px has no errors and is accessible, light and dark`, { skip }, () =>
      assertSound(browser, service.origin, { name, path, width }),
    );
  }
}

test('a day without lookups is shown as such', { skip }, async () => {
  const { page } = await visit(browser, idleService.origin);
  await page.goto('/status');
  await screenshot(page, 'status-quiet-light-1280');
  assert.equal(await page.locator('h1').textContent(), 'No lookups in the last 24 hours');
  assert.equal(await page.getByText('No recent lookups', { exact: true }).count(), 9);
  // The heading says it; the rows don't repeat it.
  assert.equal(await page.locator('main').getByText('No lookups in the last 24 hours').count(), 1);
  await page.goto('/makes/ford');
  assert.equal(await page.getByText('No recent lookups', { exact: true }).count(), 1);
  assert.equal(await page.getByText('No lookups in the last 24 hours').count(), 0);
  await page.context().close();
});

test('the header marks only the page that is open', { skip }, async () => {
  const { page } = await visit(browser, service.origin);
  const marked = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]');
  const expected = { '/docs/api': ['API'], '/status': ['Status'], '/docs/paint-codes': [], '/docs': [] };
  for (const [path, names] of Object.entries(expected)) {
    await page.goto(path);
    assert.deepEqual(await marked.allTextContents(), names, path);
  }
  await page.context().close();
});

test('the API reference shows a failed response with its status', { skip }, async () => {
  const { page, problems } = await visit(browser, service.origin);
  await page.goto('/docs/api');
  const reading = page.locator('#getLabel');
  await reading.getByLabel('Try it with any VIN').fill('JF2SKAGC8RH000000');
  await reading.getByRole('button', { name: 'Send' }).click();
  await reading.locator('b', { hasText: '503' }).waitFor();
  assert.deepEqual(
    problems.filter((line) => !line.includes(' 503')),
    [],
  );
  await page.context().close();
});

test(
  'on a narrow phone the language choices of the API reference stay inside their box',
  { skip },
  async () => {
    const { page } = await visit(browser, service.origin, { viewport: { width: 320, height: 700 } });
    await page.goto('/docs/api');
    const box = (await page.locator('#getVin .languages').boundingBox())!;
    const python = (await page.locator('#getVin .choice label').last().boundingBox())!;
    assert.ok(python.x + python.width <= box.x + box.width);
    await page.context().close();
  },
);

test('the copy button copies the request line', { skip }, async () => {
  const { page } = await visit(browser, service.origin, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // The button says so for two seconds of the page's own clock.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto('/docs/getting-started');
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl http/);
  await page.context().close();
});

test('without JavaScript no dead controls are shown', { skip }, async () => {
  const { page } = await visit(browser, service.origin, { javaScriptEnabled: false });
  for (const path of ['/docs/api', '/connect', '/docs/getting-started']) {
    await page.goto(path);
    assert.equal(await page.locator('main button:visible').count(), 0, path);
    assert.ok(await page.locator('pre:visible').count(), path);
  }
  await page.context().close();
});

test('the status page is readable without a mouse or colors', { skip }, async () => {
  const { page } = await visit(browser, service.origin);
  await page.goto('/status');
  const pictures = await page
    .getByRole('img')
    .evaluateAll((elements) => elements.map(({ ariaLabel }) => ariaLabel));
  assert.equal(pictures.length, sources.length);
  assert.ok(pictures.every((label) => /hour by hour\. (\d+ lookups?|No lookups)/.test(label ?? '')));
  for (const state of ['Refusing requests', 'Paused', 'Unstable']) {
    assert.equal(await page.getByText(state, { exact: true }).count(), 1, state);
  }
  await page.context().close();
});
