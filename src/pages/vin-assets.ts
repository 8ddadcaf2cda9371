import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Decoder } from '@monroney/vin';
import { carvedIndex, carver } from '@monroney/vin/split';
import { JAVASCRIPT, textAsset, type Asset } from './assets.ts';
import type { VinAssets } from './page-context.ts';

interface Index {
  names: Set<string>;
  asset: Asset;
}

const ENTRY = 'web';
/** Our own module that names a car, so that it has the same name below the VIN field as on its page. */
const NAMES = 'names';
const gzipAsync = promisify(gzip);

export function createVinAssets(decoder: Decoder): VinAssets {
  const sources = readSources();
  const version = hash('sha256', [decoder.input, ...sources.values()].join('\n'), 'hex').slice(0, 10);
  const base = `/assets/vin-${version}/`;
  // Everything else is built on first use, to keep the start of the service fast.
  const modules = new Map<string, Asset>();
  function moduleOf(name: string): Asset | null {
    const source = sources.get(name);
    if (source === undefined) return null;
    let built = modules.get(name);
    if (!built) modules.set(name, (built = textAsset(JAVASCRIPT, build(source))));
    return built;
  }
  let index: Promise<Index> | undefined;
  const openIndex = (): Promise<Index> => (index ??= buildIndex(decoder));
  const parts = new Map<string, Promise<Buffer>>();
  let lastBuild: Promise<unknown> = Promise.resolve();
  let carve: ReturnType<typeof carver> | undefined;
  async function buildPart(name: string): Promise<Buffer> {
    await nextTurn();
    if (!carve) {
      carve = carver(decoder.data);
      await nextTurn();
    }
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
    module: `${base}${ENTRY}.js`,
    base,
    async find(path) {
      const [file, name = '', extension] = /^([\w-]+)\.(js|bin|json)$/.exec(path.slice(base.length)) ?? [];
      if (!path.startsWith(base) || !file) return null;
      if (extension === 'js') return moduleOf(name);
      if (file === 'index.json') return (await openIndex()).asset;
      const part = extension === 'bin' ? await partOf(name) : undefined;
      return part ? { type: 'application/octet-stream', bytes: async () => part } : null;
    },
  };
}

/** Yields to the event loop. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function buildIndex({ data }: Decoder): Promise<Index> {
  await nextTurn();
  const index = carvedIndex(data);
  const names = new Set(index.parts.map(({ name }) => name));
  return { names, asset: textAsset('application/json', JSON.stringify(index)) };
}

const packageUrl = import.meta.resolve('@monroney/vin');
/** `.js` in a build, `.ts` in a checkout, both for the package and for our own modules. */
const EXTENSION = packageUrl.slice(packageUrl.lastIndexOf('.'));

/** The modules that a browser needs, by name. */
function readSources(): Map<string, string> {
  const sources = new Map<string, string>();
  const follow = (name: string, folder: string): void => {
    if (sources.has(name)) return;
    const source = readFileSync(new URL(`${name}${EXTENSION}`, folder), 'utf8');
    sources.set(name, source);
    for (const [, next] of source.matchAll(/from ['"]\.\/([\w-]+)\.[jt]s['"]/g)) follow(next!, folder);
  };
  follow(ENTRY, packageUrl);
  follow(NAMES, import.meta.resolve('@monroney/label/lib/names'));
  return sources;
}

/** A module for browsers, without types. */
function build(source: string): string {
  const script = EXTENSION === '.ts' ? withoutTypes(source) : source;
  return script.replace(/(from ['"]\.\/[\w-]+)\.ts(['"])/g, '$1.js$2');
}

/** Hides Node's warning that this API is experimental: we choose the Node version that runs it. */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
