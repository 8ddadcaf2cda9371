import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type Service } from '../service.ts';
import { openBrowser, withoutBrowser } from '../pages/browser.ts';
import { packPackages, serveFolder } from './project.ts';

/** The built client in a real browser, on a page with another origin than the service. */

const skip = withoutBrowser;
const vin = '1FMUK8DH0TG000000';
let built: ReturnType<typeof packPackages<'client'>>;
let service: Service;
let pages: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;

before(async () => {
  if (skip) return;
  built = packPackages('client');
  service = await startService();
  pages = await serveFolder(join(built.folder, 'client'));
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  pages?.close();
  built?.remove();
  await service?.close();
});

test(
  'a page from another origin looks up a VIN, reads its label and gets the PDF with the right SHA-256',
  { skip },
  async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(pages.origin);
    const result = await page.evaluate(
      async ({ baseUrl, vin }) => {
        const load = <T>(name: string) => import(`/esm/client/src/${name}.js`) as Promise<T>;
        const { createClient, MonroneyError } = await load<typeof import('@monroney/client')>('index');
        const { repairsOf } = await load<typeof import('@monroney/client/vin')>('vin');
        const client = createClient({ baseUrl, contact: 'dealer.example' });
        const [first, second] = await Promise.all([client.lookup(vin), client.lookup(vin)]);
        const bytes = await client.sticker(vin);
        const { proof } = await client.label(vin);
        const makes = await client.makes();
        const missing = await client.sticker('2LMPJ8J99PB000000').catch((error: unknown) => error);
        const requests = performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.endsWith(`/api/v1/vin/${vin}`));
        return {
          model: first.vehicle?.model,
          same: second.vin === vin,
          start: new TextDecoder().decode(bytes.subarray(0, 5)),
          closes: proof?.closes,
          makes: makes.length,
          reason: missing instanceof MonroneyError ? missing.reason : String(missing),
          lookups: requests.length,
          repairs: repairsOf('1M8GDM9AXKPO42788'),
          checked: isSecureContext && Boolean(crypto.subtle),
        };
      },
      { baseUrl: service.origin, vin },
    );
    assert.deepEqual(result, {
      model: 'Explorer',
      same: true,
      start: '%PDF-',
      closes: true,
      makes: 20,
      reason: 'no-label',
      lookups: 1,
      repairs: ['1M8GDM9AXKP042788'],
      checked: true,
    });
  },
);
