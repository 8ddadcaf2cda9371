import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Hono } from 'hono';
import { IMMUTABLE } from '../http/headers.ts';
import type { PageEnv } from './page-context.ts';

/** A static file of the pages. Its path contains its hash, so browsers may cache it permanently. */
interface Asset {
  path: string;
  type: string;
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
}

const byPath = new Map<string, Asset>();

function add(name: string, type: string, text: string): string {
  const plain = Buffer.from(text);
  const [stem, extension] = name.split('.');
  const path = `/assets/${stem}-${hash('sha256', text, 'hex').slice(0, 10)}.${extension}`;
  byPath.set(path, { path, type, plain, gzip: gzipSync(plain), brotli: brotliCompressSync(plain) });
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
const script = (name: string) => add(`${name}.js`, 'text/javascript; charset=utf-8', read(`${name}.js`));

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
    const accepted = c.req.header('accept-encoding') ?? '';
    const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null;
    const body = encoding === 'br' ? asset.brotli : encoding === 'gzip' ? asset.gzip : asset.plain;
    return new Response(new Uint8Array(body), {
      headers: {
        'Content-Type': asset.type,
        'Content-Length': String(body.length),
        'Cache-Control': IMMUTABLE,
        Vary: 'Accept-Encoding',
        ...(encoding ? { 'Content-Encoding': encoding } : {}),
      },
    });
  });
}
