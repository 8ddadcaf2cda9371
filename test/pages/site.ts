import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type Service } from '../service.ts';
import { openBrowser, withoutBrowser } from './browser.ts';
import { startHeldSource, type HeldSource } from './held-source.ts';

/** A browser and a service whose source responds when the test releases it, shared by all tests of a file. */
export let browser: Browser;
export let service: Service;
export let source: HeldSource;

before(async () => {
  if (withoutBrowser) return;
  source = await startHeldSource();
  service = await startService({ SOURCE_ORIGIN: source.origin, LIMIT: 'off' });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await source?.close();
  await service?.close();
});
