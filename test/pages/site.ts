import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { PATIENT, startService, type Service } from '../service.ts';
import { openBrowser, withoutBrowser } from './browser.ts';
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
