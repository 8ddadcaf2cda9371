import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { acceptsGzip, codingOf, type Coding } from '../http/compression.ts';
import { IMMUTABLE } from '../http/headers.ts';
import type { HeaderFields, HttpResponse } from '../http/response.ts';
import { lazy } from '../lib/single-flight.ts';

/** A static file of the pages. Its path contains a hash, so browsers may cache it permanently. */
export interface Asset {
  type: string;
  plain(): Promise<Buffer>;
  /** The compressed forms worth sending. */
  br?(): Promise<Buffer>;
  gzip?(): Promise<Buffer>;
  /** More headers. */
  headers?: HeaderFields;
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/**
 * A text with its compressed forms. Each is made on first use, in the thread pool: compressing all files at the start of the
 * service took 150 ms.
 */
export function textAsset(type: string, text: string): Asset {
  const bytes = Buffer.from(text);
  return {
    type,
    plain: async () => bytes,
    br: lazy(() => brotliAsync(bytes)),
    gzip: lazy(() => gzipAsync(bytes)),
  };
}

/** The file in the best encoding that the browser accepts. Clients that receive it slowly share its bytes. */
export async function assetResponse(
  { headers, server }: FastifyRequest,
  asset: Asset,
): Promise<HttpResponse> {
  const coding = codingFor(asset, headers['accept-encoding']);
  const body = await (coding ? asset[coding]! : asset.plain)();
  return {
    status: 200,
    headers: {
      ...server.headerSets.common,
      'content-type': asset.type,
      'cache-control': IMMUTABLE,
      vary: 'Accept-Encoding',
      ...(coding ? { 'content-encoding': coding } : {}),
      ...asset.headers,
    },
    body,
  };
}

function codingFor({ br, gzip }: Asset, accepted: string | undefined): Coding | null {
  if (br) return codingOf(accepted);
  return gzip && acceptsGzip(accepted) ? 'gzip' : null;
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
/** The stylesheet of the card for other sites. It is part of that page, which may be cached longer than any file here exists. */
export const EMBED_STYLES = read('embed.css');
const script = (name: string) => add(`${name}.js`, JAVASCRIPT, read(`${name}.js`));

export const SCRIPTS = {
  vinField: script('vin-field'),
  scan: script('scan'),
  copy: script('copy'),
  tryIt: script('try-it'),
  label: script('label'),
  viewer: script('viewer'),
  asking: script('asking'),
  recent: script('recent'),
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
 * it only when someone scans: 0.97 MB, 430 KB compressed.
 */
export const BARCODE_WORKER = `${BARCODE_BASE}worker.js`;

/** A worker has its own content security policy, so no page needs to allow WebAssembly. */
const BARCODE_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

const barcodeHeaders = { 'content-security-policy': BARCODE_POLICY };

/** Without Brotli, which takes seconds for files of this size. */
function addBarcodeAsset(name: string, type: string, read: () => Promise<Buffer>): void {
  const plain = lazy(read);
  const gzip = lazy(async () => gzipAsync(await plain()));
  assets.set(`${BARCODE_BASE}${name}`, { type, plain, gzip, headers: barcodeHeaders });
}

addBarcodeAsset('worker.js', JAVASCRIPT, async () => Buffer.from(WORKER));
addBarcodeAsset('reader.js', JAVASCRIPT, async () => Buffer.from(READER));
addBarcodeAsset('share.js', JAVASCRIPT, async () => Buffer.from(SHARE));
addBarcodeAsset('reader.wasm', 'application/wasm', () =>
  readFile(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))),
);
