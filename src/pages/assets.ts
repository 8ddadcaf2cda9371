import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Hono } from 'hono';
import { codingOf } from '../http/compression.ts';
import { IMMUTABLE } from '../http/headers.ts';
import { lazy } from '../lib/single-flight.ts';
import type { PageEnv } from './page-context.ts';

/** A static file of the pages. Its path contains its hash, so browsers may cache it permanently. */
interface Asset {
  type: string;
  file: EncodedFile;
}

/** A file with its compressed forms, as far as they were requested. */
export interface EncodedFile {
  plain: Buffer;
  gzip?: Promise<Buffer>;
  brotli?: Promise<Buffer>;
}

export const encoded = (text: string): EncodedFile => ({ plain: Buffer.from(text) });

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

const byPath = new Map<string, Asset>();

function add(name: string, type: string, text: string): string {
  const [stem, extension] = name.split('.');
  const path = `/assets/${stem}-${hash('sha256', text, 'hex').slice(0, 10)}.${extension}`;
  byPath.set(path, { type, file: encoded(text) });
  return path;
}

export const JAVASCRIPT = 'text/javascript; charset=utf-8';

const read = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');

/** Joined in this order into one stylesheet for all pages. Print styles come last, so that they win. */
const STYLESHEETS = [
  'base',
  'layout',
  'text',
  'vin',
  'home',
  'car',
  'reading',
  'facts',
  'folds',
  'price-bar',
  'asking',
  'compare',
  'documents',
  'status',
  'reference',
  'print',
];

export const STYLES = add(
  'monroney.css',
  'text/css; charset=utf-8',
  STYLESHEETS.map((name) => read(`${name}.css`)).join(''),
);
const script = (name: string) => add(`${name}.js`, JAVASCRIPT, read(`${name}.js`));

export const SCRIPTS = {
  vinField: script('vin-field'),
  scan: script('scan'),
  copy: script('copy'),
  tryIt: script('try-it'),
  label: script('label'),
  asking: script('asking'),
  recent: script('recent'),
} as const;

export function registerAssets(app: Hono<PageEnv>): void {
  app.get('/assets/:file', (c, next) => {
    const asset = byPath.get(c.req.path);
    if (!asset) return next();
    return sendEncoded(asset.file, asset.type, c.req.header('accept-encoding'));
  });
}

/**
 * Sends a file in the best encoding that the browser accepts. Each is compressed on first use, in the thread pool:
 * compressing all files at the start of the service took 150 ms.
 */
export async function sendEncoded(file: EncodedFile, type: string, accept?: string): Promise<Response> {
  const coding = codingOf(accept);
  if (coding === 'br') return sendAsset(await (file.brotli ??= brotliAsync(file.plain)), type, coding);
  if (coding === 'gzip') return sendAsset(await (file.gzip ??= gzipAsync(file.plain)), type, coding);
  return sendAsset(file.plain, type);
}

/** The same bytes, not a copy: thousands of clients that read slowly may wait for the same file. */
export function viewOf({ buffer, byteOffset, length }: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}

export function sendAsset(
  body: Buffer,
  type: string,
  encoding: string | null = null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(viewOf(body), {
    headers: {
      'Content-Type': type,
      'Content-Length': String(body.length),
      'Cache-Control': IMMUTABLE,
      Vary: 'Accept-Encoding',
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
      ...headers,
    },
  });
}

const zxing = import.meta.resolve('zxing-wasm/reader');
const READER = readFileSync(new URL(zxing), 'utf8').replace('"../share.js"', '"./share.js"');
const SHARE = readFileSync(new URL('../share.js', zxing), 'utf8');
const WORKER = read('barcode-worker.js');

// The reader's script contains the SHA-256 of its WebAssembly, so this hash covers both.
const barcodeVersion = hash('sha256', [READER, SHARE, WORKER].join('\n'), 'hex').slice(0, 10);
const BARCODE_BASE = `/assets/barcode-${barcodeVersion}/`;

/**
 * The bar code reader for browsers without BarcodeDetector: ZXing as WebAssembly, in a worker from our own origin. Pages load
 * it only when someone scans: 0.97 MB, 430 KB compressed.
 */
export const BARCODE_WORKER = `${BARCODE_BASE}worker.js`;

/** A worker has its own content security policy, so no page needs to allow WebAssembly. */
const BARCODE_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

interface BarcodeAsset {
  type: string;
  read(): Promise<Buffer>;
}

const barcodeScript = (text: string): BarcodeAsset => ({
  type: JAVASCRIPT,
  read: lazy(async () => Buffer.from(text)),
});

const BARCODE_ASSETS: Readonly<Record<string, BarcodeAsset>> = {
  'worker.js': barcodeScript(WORKER),
  'reader.js': barcodeScript(READER),
  'share.js': barcodeScript(SHARE),
  'reader.wasm': {
    type: 'application/wasm',
    read: lazy(() => readFile(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))),
  },
};

export function registerBarcodeAssets(app: Hono<PageEnv>): void {
  for (const [name, { type, read }] of Object.entries(BARCODE_ASSETS)) {
    // Compressed on first use, to keep the start of the service fast.
    const compressed = lazy(async () => gzipAsync(await read()));
    app.get(`${BARCODE_BASE}${name}`, async (c) => {
      const acceptsGzip = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
      const body = await (acceptsGzip ? compressed() : read());
      return sendAsset(body, type, acceptsGzip ? 'gzip' : null, {
        'Content-Security-Policy': BARCODE_POLICY,
      });
    });
  }
}
