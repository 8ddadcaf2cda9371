import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Hono } from 'hono';
import { IMMUTABLE } from '../http/headers.ts';
import type { PageEnv } from './parts.ts';

/**
 * The bar code reader for browsers without BarcodeDetector: ZXing as WebAssembly in a worker of our own origin. Pages load it
 * only when somebody scans: 0.97 MB, 430 KB as sent.
 */

const entry = import.meta.resolve('zxing-wasm/reader');
const READER = readFileSync(new URL(entry), 'utf8').replace('"../share.js"', '"./share.js"');
const SHARE = readFileSync(new URL('../share.js', entry), 'utf8');
const WORKER = readFileSync(new URL('assets/barcode-worker.js', import.meta.url), 'utf8');

// The reader's script names the SHA-256 of its WebAssembly, so this hash changes with it.
const version = hash('sha256', [READER, SHARE, WORKER].join('\n'), 'hex').slice(0, 10);
const BASE = `/assets/barcode-${version}/`;

export const BARCODE_WORKER = `${BASE}worker.js`;

/** A worker has its own policy, so no page needs to allow WebAssembly. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

interface File {
  type: string;
  open(): Buffer | Promise<Buffer>;
}

const script = (text: string): File => ({
  type: 'text/javascript; charset=utf-8',
  open: () => Buffer.from(text),
});

const FILES: Readonly<Record<string, File>> = {
  'worker.js': script(WORKER),
  'reader.js': script(READER),
  'share.js': script(SHARE),
  'reader.wasm': {
    type: 'application/wasm',
    open: () => readFile(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))),
  },
};

const pack = promisify(gzip);

export function registerBarcodeAssets(app: Hono<PageEnv>): void {
  // Compressed on first use, so that starting the service costs nothing.
  const zipped = new Map<string, Promise<Buffer>>();
  for (const [name, { type, open }] of Object.entries(FILES)) {
    app.get(`${BASE}${name}`, async (c) => {
      const takesGzip = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
      if (takesGzip && !zipped.has(name))
        zipped.set(
          name,
          Promise.resolve(open()).then((file) => pack(file)),
        );
      const body = takesGzip ? await zipped.get(name)! : await open();
      return new Response(new Uint8Array(body), {
        headers: {
          'Content-Type': type,
          'Content-Length': String(body.length),
          'Cache-Control': IMMUTABLE,
          'Content-Security-Policy': POLICY,
          Vary: 'Accept-Encoding',
          ...(takesGzip ? { 'Content-Encoding': 'gzip' } : {}),
        },
      });
    });
  }
}
