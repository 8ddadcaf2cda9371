import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { promisify } from 'node:util';
import { brotliCompressSync, gzip, gzipSync } from 'node:zlib';
import type { Decoder } from '@monroney/vin';
import { carver, pieceBytes, pieceNames } from '@monroney/vin/pieces';
import { IMMUTABLE } from '../http/headers.ts';
import type { VinAssets } from './parts.ts';

interface Module {
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
}

interface Index {
  names: Set<string>;
  json: Buffer;
}

const ENTRY = 'web';
const packAsync = promisify(gzip);

export function createVinAssets(decoder: Decoder): VinAssets {
  const sources = readSources();
  const version = hash('sha256', [decoder.input, ...sources.values()].join('\n'), 'hex').slice(0, 10);
  const base = `/assets/vin-${version}/`;
  // Everything else is made when a page first asks for it: the service starts no later for it.
  const modules = new Map<string, Module>();
  function moduleOf(name: string): Module | undefined {
    const source = sources.get(name);
    if (source === undefined) return undefined;
    let made = modules.get(name);
    if (!made) modules.set(name, (made = build(source)));
    return made;
  }
  let index: Promise<Index> | undefined;
  const openIndex = (): Promise<Index> => (index ??= SHIPPED ? shippedIndex(SHIPPED) : makeIndex(decoder));
  const pieces = new Map<string, Promise<Buffer>>();
  let cutting: Promise<unknown> = Promise.resolve();
  let cut: ReturnType<typeof carver> | undefined;
  async function cutPiece(name: string): Promise<Buffer> {
    await turn();
    if (!cut) {
      cut = carver(decoder.data);
      await turn();
    }
    return packAsync(pieceBytes(cut(name)), { level: 9 });
  }
  async function pieceOf(name: string): Promise<Buffer | undefined> {
    if (!(await openIndex()).names.has(name)) return undefined;
    if (SHIPPED) return readFile(new URL(`${name}.bin`, SHIPPED));
    let packed = pieces.get(name);
    // In a checkout, some tens of milliseconds each: one after the other, with turns of the event loop between.
    if (!packed) pieces.set(name, (packed = cutting.then(() => cutPiece(name))));
    cutting = packed.catch(() => {});
    return packed;
  }

  return {
    module: `${base}${ENTRY}.js`,
    register(app) {
      app.get(`${base}:file`, async (c, next) => {
        const [file, name = '', ending] =
          /^([\w-]+)\.(js|bin|json)$/.exec(c.req.path.slice(base.length)) ?? [];
        if (file === 'index.json') return send((await openIndex()).json, 'application/json');
        const piece = ending === 'bin' ? await pieceOf(name) : undefined;
        if (piece) return send(piece, 'application/octet-stream');
        const module = ending === 'js' ? moduleOf(name) : undefined;
        if (!module) return next();
        const accepted = c.req.header('accept-encoding') ?? '';
        const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null;
        const body = encoding === 'br' ? module.brotli : encoding === 'gzip' ? module.gzip : module.plain;
        return send(body, 'text/javascript; charset=utf-8', encoding);
      });
    },
  };
}

/** The next turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function shippedIndex(folder: URL): Promise<Index> {
  const json = await readFile(new URL('index.json', folder));
  return { names: new Set((JSON.parse(json.toString()) as { pieces: string[] }).pieces), json };
}

async function makeIndex({ data, month }: Decoder): Promise<Index> {
  await turn();
  const pieces = pieceNames(data);
  return { names: new Set(pieces), json: Buffer.from(JSON.stringify({ month, pieces })) };
}

function send(body: Buffer, type: string, encoding: string | null = null): Response {
  return new Response(new Uint8Array(body), {
    headers: {
      'Content-Type': type,
      'Content-Length': String(body.length),
      'Cache-Control': IMMUTABLE,
      Vary: 'Accept-Encoding',
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
    },
  });
}

const home = import.meta.resolve('@monroney/vin');
const SHIPPED = existsSync(new URL('../data/pieces/index.json', home))
  ? new URL('../data/pieces/', home)
  : null;
/** `.js` as built, `.ts` in a checkout. */
const ENDING = home.slice(home.lastIndexOf('.'));

/** The package's modules that a browser needs, by name. */
function readSources(): Map<string, string> {
  const found = new Map<string, string>();
  const follow = (name: string): void => {
    if (found.has(name)) return;
    const source = readFileSync(new URL(`${name}${ENDING}`, home), 'utf8');
    found.set(name, source);
    for (const [, next] of source.matchAll(/from ['"]\.\/([\w-]+)\.[jt]s['"]/g)) follow(next!);
  };
  follow(ENTRY);
  return found;
}

/** As a browser takes it, without types. */
function build(source: string): Module {
  const script = ENDING === '.ts' ? withoutTypes(source) : source;
  const plain = Buffer.from(script.replace(/(from ['"]\.\/[\w-]+)\.ts(['"])/g, '$1.js$2'));
  return { plain, gzip: gzipSync(plain), brotli: brotliCompressSync(plain) };
}

/** Node warns that this may change; the service brings the Node it runs on along. */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
