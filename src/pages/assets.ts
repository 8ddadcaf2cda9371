import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import { conditionalResponse } from '../http/representation.ts';
import { IMMUTABLE, type HeaderFields } from '../http/response.ts';
import type { Answer } from '../http/problems.ts';
import { lazy } from '../lib/promises.ts';

/** A static file of the pages. Its path contains a hash, so browsers may cache it permanently. */
export interface Asset {
  type: string;
  /** Always the same buffer, which clients that receive it slowly share. */
  bytes(): Promise<Buffer>;
  /** More headers. */
  headers?: HeaderFields;
}

export function textAsset(type: string, text: string): Asset {
  const bytes = Buffer.from(text);
  return { type, bytes: async () => bytes };
}

export async function assetResponse(request: FastifyRequest, asset: Asset): Promise<Answer> {
  const headers = {
    ...request.server.headerSets.common,
    'content-type': asset.type,
    'cache-control': IMMUTABLE,
    vary: 'Accept-Encoding',
    etag: `"${request.path}"`,
    ...asset.headers,
  };
  return conditionalResponse(request, headers) ?? { status: 200, headers, body: await asset.bytes() };
}

/** By path. */
const assets = new Map<string, Asset>();

/** The stylesheet, a script or a file of the bar code reader. */
export const findAsset = (path: string): Asset | null => assets.get(path) ?? null;

export const JAVASCRIPT = 'text/javascript; charset=utf-8';

function add(name: string, type: string, text: string): string {
  const [stem, extension] = name.split('.');
  const path = `/assets/${stem}-${hash('sha256', text, 'hex').slice(0, 10)}.${extension}`;
  assets.set(path, textAsset(type, text));
  return path;
}

const read = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');

/** A stylesheet without comments, which are an eighth of what is sent. */
const readStyles = (name: string) => read(`${name}.css`).replace(/\/\*[^*]*\*\/\s*/g, '');

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
  'read',
  'inventory',
  'asking',
  'compare',
  'documents',
  'status',
  'reference',
  'print',
];

export const STYLES = add('monroney.css', 'text/css; charset=utf-8', STYLESHEETS.map(readStyles).join(''));
/** The stylesheet of the card for other sites. It is part of that page, which may be cached longer than any file here exists. */
export const EMBED_STYLES = readStyles('embed');
const script = (name: string) => add(`${name}.js`, JAVASCRIPT, read(`${name}.js`));

export const SCRIPTS = {
  vinField: script('vin-field'),
  scan: script('scan'),
  copy: script('copy'),
  tryIt: script('try-it'),
  label: script('label'),
  viewer: script('viewer'),
  asking: script('asking'),
  card: script('card'),
  recent: script('recent'),
  askingPrice: script('asking-price'),
  read: script('read'),
} as const;

const zxing = import.meta.resolve('zxing-wasm/reader');
const READER = readFileSync(new URL(zxing), 'utf8').replace('"../share.js"', '"./share.js"');
const SHARE = readFileSync(new URL('../share.js', zxing), 'utf8');
const WORKER = read('barcode-worker.js');

// The reader's script contains the SHA-256 of its WebAssembly, so this hash covers both.
const barcodeVersion = hash('sha256', [READER, SHARE, WORKER].join('\n'), 'hex').slice(0, 10);
export const BARCODE_BASE = `/assets/barcode-${barcodeVersion}/`;

/**
 * The bar code reader for browsers without BarcodeDetector: ZXing as WebAssembly, in a worker from our own origin. Pages load
 * it only when someone scans: 0.97 MB, 390 KB compressed.
 */
export const BARCODE_WORKER = `${BARCODE_BASE}worker.js`;

const pdfium = import.meta.resolve('@hyzyla/pdfium/pdfium.wasm');
const { version } = JSON.parse(readFileSync(new URL('../package.json', pdfium), 'utf8')) as {
  version: string;
};

/** Opens PDFs in browsers. Loaded only when someone chooses one: 4 MB, 1.7 MB compressed. */
export const PDFIUM = `/assets/pdfium-${version}.wasm`;

assets.set(PDFIUM, { type: 'application/wasm', bytes: lazy(() => readFile(new URL(pdfium))) });

/** A worker has its own content security policy, so no page needs to allow WebAssembly. */
export const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

const barcodeHeaders = { 'content-security-policy': WORKER_POLICY };

const addBarcodeAsset = (name: string, asset: Asset) =>
  assets.set(`${BARCODE_BASE}${name}`, { ...asset, headers: barcodeHeaders });

addBarcodeAsset('worker.js', textAsset(JAVASCRIPT, WORKER));
addBarcodeAsset('reader.js', textAsset(JAVASCRIPT, READER));
addBarcodeAsset('share.js', textAsset(JAVASCRIPT, SHARE));
addBarcodeAsset('reader.wasm', {
  type: 'application/wasm',
  bytes: lazy(() => readFile(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))),
});
