/**
 * Takes the screenshots in docs/images from a fresh service on this machine: `npm run screenshots`. Needs Chromium.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { openBrowser, withoutBrowser } from '../test/pages/browser.ts';
import { startService } from '../test/service.ts';

const PAGES = [
  { name: 'home', url: '/', height: 800 },
  { name: 'sticker', url: '/window-sticker/1C4RJHBR7TC000000', height: 1700 },
  { name: 'compare', url: '/compare?vin=1C4RJHBR7TC000000&vin=1FMUK8DH0TG000000', height: 1200 },
];
const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));

if (withoutBrowser) throw new Error(withoutBrowser);
const service = await startService({ LIMIT: 'off' });
const browser = await openBrowser();
try {
  mkdirSync(folder, { recursive: true });
  for (const { name, url, height } of PAGES) {
    const page = await browser.newPage({ viewport: { width: 1280, height }, deviceScaleFactor: 1 });
    await page.goto(`${service.origin}${url}`, { waitUntil: 'networkidle' });
    const picture = await sharp(await page.screenshot())
      .webp({ quality: 80 })
      .toBuffer();
    writeFileSync(path.join(folder, `${name}.webp`), picture);
    await page.close();
  }
} finally {
  await browser.close();
  await service.close();
}
