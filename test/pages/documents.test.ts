import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../service.ts';
import { screenshot, visit, withoutBrowser } from './browser.ts';
import { browser, pageTest, service } from './site.ts';
import { recordBusyDay } from './busy-day.ts';
import { sources } from '../../src/makers/index.ts';

const skip = withoutBrowser;
test('a day without lookups is shown as such', { skip }, async () => {
  const idle = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9', LIMIT: 'off' });
  const { page } = await visit(browser, idle.origin);
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
  await idle.close();
});

pageTest('the header marks only the page that is open', async ({ page }) => {
  const marked = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]');
  const expected = { '/docs/api': ['API'], '/compare': ['Compare'], '/status': [], '/docs': [] };
  for (const [path, names] of Object.entries(expected)) {
    await page.goto(path);
    assert.deepEqual(await marked.allTextContents(), names, path);
  }
});

pageTest('the API reference shows a failed response with its status', async ({ page, problems }) => {
  await page.goto('/docs/api');
  const reading = page.locator('#getLabel');
  await reading.getByLabel('Try it with any VIN').fill('JF2SKAGC8RH000000');
  await reading.getByRole('button', { name: 'Send' }).click();
  await reading.locator('b', { hasText: '503' }).waitFor();
  assert.deepEqual(
    problems.splice(0).filter((line) => !line.includes(' 503')),
    [],
  );
});

pageTest(
  'on a narrow phone the language choices of the API reference stay inside their box',
  async ({ page }) => {
    await page.goto('/docs/api');
    const box = (await page.locator('#getVin .languages').boundingBox())!;
    const python = (await page.locator('#getVin .choice label').last().boundingBox())!;
    assert.ok(python.x + python.width <= box.x + box.width);
  },
  { viewport: { width: 320, height: 700 } },
);

pageTest(
  'the copy button copies the request line',
  async ({ page }) => {
    // The button says so for two seconds of the page's own clock.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto('/docs/getting-started');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied', { exact: true }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl http/);
  },
  {
    permissions: ['clipboard-read', 'clipboard-write'],
  },
);

pageTest(
  'without JavaScript no dead controls are shown',
  async ({ page }) => {
    for (const path of ['/docs/api', '/connect', '/docs/getting-started']) {
      await page.goto(path);
      assert.equal(await page.locator('main button:visible').count(), 0, path);
      assert.ok(await page.locator('pre:visible').count(), path);
    }
  },
  { javaScriptEnabled: false },
);

pageTest('the status page is readable without a mouse or colors', async ({ page }) => {
  await recordBusyDay(service.runtime);
  await page.goto('/status');
  const pictures = await page
    .getByRole('img')
    .evaluateAll((elements) => elements.map(({ ariaLabel }) => ariaLabel));
  assert.equal(pictures.length, sources.length);
  assert.ok(pictures.every((label) => /hour by hour\. (\d+ lookups?|No lookups)/.test(label ?? '')));
  for (const state of ['Refusing requests', 'Paused', 'Unstable']) {
    assert.equal(await page.getByText(state, { exact: true }).count(), 1, state);
  }
});
