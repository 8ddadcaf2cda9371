import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Hono } from 'hono';
import { IMMUTABLE } from '../http/headers.ts';
import type { PageEnv } from './page-context.ts';

/**
 * The bar code reader for browsers without BarcodeDetector: ZXing as WebAssembly, in a worker from our own origin. Pages load
 * it only when someone scans: 0.97 MB, 430 KB compressed.
 */

const entry = import.meta.resolve('zxing-wasm/reader');
const READER = readFileSync(new URL(entry), 'utf8').replace('"../share.js"', '"./share.js"');
const SHARE = readFileSync(new URL('../share.js', entry), 'utf8');
const WORKER = readFileSync(new URL('assets/barcode-worker.js', import.meta.url), 'utf8');

// The reader's script contains the SHA-256 of its WebAssembly, so this hash covers both.
const version = hash('sha256', [READER, SHARE, WORKER].join('\n'), 'hex').slice(0, 10);
const BASE = `/assets/barcode-${version}/`;

export const BARCODE_WORKER = `${BASE}worker.js`;

/** A worker has its own content security policy, so no page needs to allow WebAssembly. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

interface Asset {
  type: string;
  read(): Buffer | Promise<Buffer>;
}

const script = (text: string): Asset => ({
  type: 'text/javascript; charset=utf-8',
  read: () => Buffer.from(text),
});

const ASSETS: Readonly<Record<string, Asset>> = {
  'worker.js': script(WORKER),
  'reader.js': script(READER),
  'share.js': script(SHARE),
  'reader.wasm': {
    type: 'application/wasm',
    read: () => readFile(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))),
  },
};

const gzipAsync = promisify(gzip);

export function registerBarcodeAssets(app: Hono<PageEnv>): void {
  // Compressed on first use, to keep the start of the service fast.
  const compressed = new Map<string, Promise<Buffer>>();
  for (const [name, { type, read }] of Object.entries(ASSETS)) {
    app.get(`${BASE}${name}`, async (c) => {
      const acceptsGzip = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
      if (acceptsGzip && !compressed.has(name))
        compressed.set(
          name,
          Promise.resolve(read()).then((file) => gzipAsync(file)),
        );
      const body = acceptsGzip ? await compressed.get(name)! : await read();
      return new Response(new Uint8Array(body), {
        headers: {
          'Content-Type': type,
          'Content-Length': String(body.length),
          'Cache-Control': IMMUTABLE,
          'Content-Security-Policy': POLICY,
          Vary: 'Accept-Encoding',
          ...(acceptsGzip ? { 'Content-Encoding': 'gzip' } : {}),
        },
      });
    });
  }
}
