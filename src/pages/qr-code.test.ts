import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { qrCode } from './qr-code.ts';

test('a QR code can be read', async () => {
  const url = 'https://labels.example/window-sticker/1C4RJHBR7TC000000';
  const svg = String(await qrCode(url)).replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
  const png = await sharp(Buffer.from(svg), { density: 600 })
    .flatten({ background: '#fff' })
    .extend({ top: 40, bottom: 40, left: 40, right: 40, background: '#fff' })
    .png()
    .toBuffer();
  const wasm = readFileSync(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
  await prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(wasm).buffer },
    fireImmediately: true,
  });
  const [code] = await readBarcodes(new Uint8Array(png));
  assert.equal(code?.text, url);
});
