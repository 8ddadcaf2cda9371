import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Decoder } from '@monroney/vin';
import { carvedIndex, carver } from '@monroney/vin/split';
import { makesOf } from '../makers/index.ts';
import { etagOf } from '../http/response.ts';
import { lazy } from '../lib/promises.ts';
import { BARCODE_WORKER, JAVASCRIPT, SCRIPTS, textAsset, type Asset } from './assets.ts';
import { moduleUrl } from './browser-modules.ts';
import type { PageContext, VinAssets } from './page-context.ts';

/** How the paths of all parts begin. A hash follows. */
export const PARTS_BASE = '/assets/vin-parts-';

const gzipAsync = promisify(gzip);

export function createVinAssets(decoder: Decoder): VinAssets {
  // Everything is built on first use, to keep the start of the service fast. What the parts contain depends on the modules, too.
  let base: string | undefined;
  const baseOf = (): string => {
    const version = () => hash('sha256', `${decoder.input}\n${moduleUrl('vin/web')}`, 'hex').slice(0, 10);
    return (base ??= `${PARTS_BASE}${version()}/`);
  };
  const openIndex = lazy(() => buildIndex(decoder));
  const openCarver = lazy(async () => carver(decoder.data));
  const parts = new Map<string, Promise<Buffer>>();
  let lastBuild: Promise<unknown> = Promise.resolve();
  async function buildPart(name: string): Promise<Buffer> {
    await nextTurn();
    const carve = await openCarver();
    await nextTurn();
    return gzipAsync(carve(name), { level: 9 });
  }
  async function partOf(name: string): Promise<Buffer | undefined> {
    if (!(await openIndex()).names.has(name)) return undefined;
    let part = parts.get(name);
    // All of them take 12 MB. Each takes tens of milliseconds, so they are built one at a time and yield to the event loop.
    if (!part) parts.set(name, (part = lastBuild.then(() => buildPart(name))));
    lastBuild = part.catch(() => {});
    return part;
  }

  return {
    get base() {
      return baseOf();
    },
    async find(path) {
      const folder = baseOf();
      const [file, name = '', extension] = /^([\w-]+)\.(bin|json)$/.exec(path.slice(folder.length)) ?? [];
      if (!path.startsWith(folder) || !file) return null;
      if (file === 'index.json') return (await openIndex()).asset;
      const part = extension === 'bin' ? await partOf(name) : undefined;
      return part ? { type: 'application/octet-stream', bytes: async () => part } : null;
    },
  };
}

/** Yields to the event loop. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function buildIndex({ data }: Decoder) {
  await nextTurn();
  const index = carvedIndex(data);
  const names = new Set(index.parts.map(({ name }) => name));
  return { names, asset: textAsset('application/json', JSON.stringify(index)) };
}

/** What the script of the VIN field loads once somebody uses the field. Its path has no hash, so that all pages can name it. */
export const FIELD_SETTINGS = '/assets/vin-field-settings.js';

export function fieldSettings({ vinAssets, lookup }: Pick<PageContext, 'vinAssets' | 'lookup'>): Asset {
  const settings = {
    decoder: moduleUrl('vin/web'),
    parts: vinAssets.base,
    notes: moduleUrl('src/pages/vin-notes'),
    makes: makesOf(lookup.sources).map((make) => make.toUpperCase()),
    scan: SCRIPTS.scan,
    worker: BARCODE_WORKER,
  };
  const asset = textAsset(JAVASCRIPT, `export default ${JSON.stringify(settings)};\n`);
  const etag = etagOf(Buffer.from(JSON.stringify(settings)));
  return { ...asset, headers: { 'cache-control': 'no-cache', etag } };
}
