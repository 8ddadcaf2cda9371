import { readFile } from 'node:fs/promises';
import { lazy } from '../lib/promises.ts';
import { html, type Html } from './html.ts';

/** ZXing's writer, loaded with the first code: 650 KB of WebAssembly. */
const openWriter = lazy(async () => {
  const { prepareZXingModule, writeBarcode } = await import('zxing-wasm/writer');
  const wasm = await readFile(new URL(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')));
  const { buffer, byteOffset, byteLength } = wasm;
  const wasmBinary = buffer.slice(byteOffset, byteOffset + byteLength);
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return writeBarcode;
});

/** A URL as a QR code for printed pages. */
export async function qrCode(url: string): Promise<Html | string> {
  const write = await openWriter();
  const { svg } = await write(url, { format: 'QRCode', addQuietZones: false });
  const size = /width="(\d+)"/.exec(svg)?.[1];
  const path = /<path d="([\d\sMhvZz-]+)"/.exec(svg)?.[1];
  if (!size || !path) return '';
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of this page">
    <path d="${path}" />
  </svg>`;
}
