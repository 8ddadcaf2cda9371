import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { PATIENT, startService, type Service } from '../service.ts';
import { openBrowser, visit, withoutBrowser, type Visit } from './browser.ts';
import { startPausableSource, type PausableSource } from './pausable-source.ts';

/** A browser and a service whose source the test can pause, shared by all tests of a file. */
export let browser: Browser;
export let service: Service;
export let source: PausableSource;

before(async () => {
  if (withoutBrowser) return;
  source = await startPausableSource();
  service = await startService({ SOURCE_ORIGIN: source.origin, LIMIT: 'off' }, PATIENT);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await source?.close();
  await service?.close();
});

/** A test with a page of the service. The page must cause no problems. */
export function pageTest(
  title: string,
  run: (visited: Visit) => Promise<void>,
  options?: BrowserContextOptions,
): void {
  test(title, { skip: withoutBrowser }, async () => {
    const visited = await visit(browser, service.origin, options);
    await run(visited);
    assert.deepEqual(visited.problems, []);
    await visited.page.context().close();
  });
}
