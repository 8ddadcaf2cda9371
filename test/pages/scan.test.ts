import assert from 'node:assert/strict';
import { test } from 'node:test';
import bwip from 'bwip-js/node';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { overflow, screenshot, violations, visit, withoutBrowser } from './browser.ts';
import { browser, pageTest, service } from './site.ts';
import { VIEWS } from './views.ts';

const skip = withoutBrowser;
const VIN = '1C4RJHBR7TC000000';
const vinField = (page: Page) => page.getByLabel('VIN', { exact: true });

/** A photo of a bar code drawn by an independent program: gray background, slightly rotated, blurred, as JPEG. */
async function photo(kind: string, text: string): Promise<Buffer> {
  const size = kind === 'datamatrix' ? { scale: 8 } : { scale: 3, height: 18 };
  const code = await sharp(
    await bwip.toBuffer({ bcid: kind, text, ...size, padding: 12, backgroundcolor: 'FFFFFF' }),
  )
    .rotate(4, { background: '#ddd' })
    .toBuffer();
  return sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#8a8a86' } })
    .composite([{ input: code }])
    .modulate({ brightness: 0.9 })
    .blur(0.8)
    .jpeg({ quality: 75 })
    .toBuffer();
}

/** Opens a page in a browser without BarcodeDetector, whose camera fails. */
async function withoutDetector(options: object, cameraError = 'NotAllowedError') {
  const visitor = await visit(browser, service.origin, options);
  await visitor.page.addInitScript((error) => {
    Reflect.deleteProperty(globalThis, 'BarcodeDetector');
    const getUserMedia = () => Promise.reject(new DOMException('', error));
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia } });
  }, cameraError);
  await visitor.page.goto('/');
  return visitor;
}

async function choose(page: Page, button: string, picture: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles({ name: 'door.jpg', mimeType: 'image/jpeg', buffer: picture });
}

const CODES = [
  ['code39', VIN],
  ['code39', `I${VIN}`],
  ['code128', VIN],
  ['datamatrix', VIN],
  ['qrcode', `https://dealer.example/cars/${VIN}`],
  ['pdf417', VIN],
] as const;

for (const [index, { name, options }] of VIEWS.entries()) {
  const [kind, text] = CODES[index]!;
  test(`${name}: a photo of a bar code gives the VIN (${kind})`, { skip }, async () => {
    const { page, problems } = await withoutDetector(options);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.getByRole('button', { name: 'Scan the bar code' }).click();
    await page.getByText('We can’t use the camera here.').waitFor();
    assert.ok(!requested.some((url) => url.endsWith('.wasm')), 'the reader is loaded at the first picture');
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
    await screenshot(page, `scan-${name.replace(' px, ', '-')}`);
    await choose(page, 'Take a photo', await photo('code128', 'not a VIN'));
    await page.getByText('We couldn’t find a VIN bar code in that photo.').waitFor();
    await choose(page, 'Choose a photo', await photo(kind, text));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('.vin-decoded', { hasText: '2026 Jeep' }).waitFor();
    assert.equal(await vinField(page).inputValue(), VIN);
    assert.ok(requested.some((url) => url.endsWith('.wasm')));
    assert.deepEqual(problems, []);
  });
}

test('a camera is offered only where there is one', { skip }, async () => {
  const { page } = await withoutDetector({}, 'NotFoundError');
  await page.getByRole('button', { name: 'Scan the bar code' }).click();
  await page.getByText('This device has no camera.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Take a photo' }).count(), 0);
  await choose(page, 'Choose a photo', await photo('code39', VIN));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await vinField(page).inputValue(), VIN);
});

/** Replaces the camera with one that shows a still picture. */
async function fakeCamera(page: Page, picture: Buffer): Promise<void> {
  await page.addInitScript(
    (url) => {
      const canvas = document.createElement('canvas');
      const open = async () => {
        const image = new Image();
        image.src = url;
        await image.decode();
        canvas.width = image.width;
        canvas.height = image.height;
        const draw = () => canvas.getContext('2d')!.drawImage(image, 0, 0);
        draw();
        // oxlint-disable-next-line tests/no-clock -- A camera that shows its picture again and again.
        setInterval(draw, 100);
        return canvas.captureStream(10);
      };
      Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia: open } });
    },
    `data:image/jpeg;base64,${picture.toString('base64')}`,
  );
}

pageTest(
  'the camera finds the VIN in browsers that can’t read bar codes',
  async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'BarcodeDetector'));
    await fakeCamera(page, await photo('code39', VIN));
    await page.goto('/');
    await page.getByRole('button', { name: 'Scan the bar code' }).click();
    await page.waitForFunction(() => document.querySelector('input')?.value !== '');
    assert.equal(await vinField(page).inputValue(), VIN);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  },
  VIEWS[0]!.options,
);

pageTest(
  'the browser’s own reader is used if there is one',
  async ({ page }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.addInitScript(() => {
      Object.assign(globalThis, {
        BarcodeDetector: class {
          static async getSupportedFormats(): Promise<string[]> {
            return ['code_39', 'qr_code'];
          }
          // A misread, which fails the check digit, then the VIN.
          detect = async () => [{ rawValue: '1C4RJHBR7TC000001' }, { rawValue: 'i1C4RJHBR7TC000000' }];
        },
      });
    });
    await fakeCamera(page, await photo('code39', VIN));
    await page.goto('/');
    await page.getByRole('button', { name: 'Scan the bar code' }).click();
    await page.waitForFunction(() => document.querySelector('input')?.value !== '');
    assert.equal(await vinField(page).inputValue(), VIN);
    assert.ok(!requested.some((url) => url.endsWith('.wasm')));
  },
  VIEWS[0]!.options,
);

test(
  'closing the scanner leaves the field unchanged, and no page may compile WebAssembly',
  { skip },
  async () => {
    const { page } = await withoutDetector({});
    await vinField(page).fill('1C4RJ');
    await page.getByRole('button', { name: 'Scan the bar code' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await vinField(page).inputValue(), '1C4RJ');
    const policy = (await fetch(service.origin)).headers.get('content-security-policy');
    assert.doesNotMatch(policy!, /wasm|unsafe/);
    const { page: withoutScript } = await visit(browser, service.origin, { javaScriptEnabled: false });
    await withoutScript.goto('/');
    assert.equal(await withoutScript.getByRole('button', { name: 'Scan the bar code' }).count(), 0);
  },
);
