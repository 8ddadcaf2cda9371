import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';
import { JAVASCRIPT, textAsset, WORKER_POLICY, type Asset } from './assets.ts';

/**
 * Our own TypeScript modules for browsers, without a build step: types are stripped from each when it is first requested. A module's name
 * is a folder below and its path there: `label/lib/names`.
 */

const labelUrl = import.meta.resolve('@monroney/label');
const EXTENSION = posix.extname(labelUrl);

/** Where modules are, and with which extension: in a build `.js`, in a checkout `.ts`. */
const FOLDERS: Readonly<Record<string, { url: string; extension: string }>> = {
  vin: { url: import.meta.resolve('@monroney/vin'), extension: EXTENSION },
  label: { url: labelUrl, extension: EXTENSION },
  client: { url: import.meta.resolve('@monroney/client'), extension: EXTENSION },
  src: { url: new URL('../', import.meta.url).href, extension: EXTENSION },
  pdfium: { url: import.meta.resolve('@hyzyla/pdfium/dist/index.esm.browser.js'), extension: '.js' },
  'csv-parse': { url: import.meta.resolve('csv-parse/browser/esm/sync'), extension: '.js' },
  fflate: { url: import.meta.resolve('fflate'), extension: '.js' },
  excel: { url: new URL('../', import.meta.resolve('read-excel-file/universal')).href, extension: '.js' },
};

/** Libraries are served as they are, but for the paths of their imports. These import nothing. */
const isAlone = (name: string): boolean => /^(?:pdfium|csv-parse|fflate)\//.test(name);
const isOurs = (name: string): boolean => /^(?:vin|label|client|src)\//.test(name);

/** The modules that pages import or start as workers. What they import is served too. */
const ENTRIES = [
  'vin/web',
  'label/lib/names',
  'src/pages/vin-notes',
  'src/pages/read-worker',
  'src/pages/inventory/main',
] as const;

/** The modules of packages that are imported by name. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@monroney/vin': 'vin/web',
  '@monroney/label': 'label/index',
  '@monroney/client': 'client/index',
  '@hyzyla/pdfium': 'pdfium/index.esm.browser',
  'csv-parse/browser/esm/sync': 'csv-parse/sync',
  fflate: 'fflate/browser',
  'read-excel-file/universal': 'excel/modules/export/readXlsxFileUniversal',
};

/** Imports that exist at run time: not `import type`. */
const STATIC_IMPORTS = /^((?:import|export)\s(?!type\s)[^'";]*?from\s*['"])([^'"]+)(?=['"])/gm;
const DYNAMIC_IMPORTS = /(\bimport\(['"])([^'"]+)(?=['"]\))/g;

/** The module that another imports; null for one that browsers don't get. */
function moduleOf(specifier: string, importer: string): string | null {
  // The client has a copy of what it needs from its neighbor.
  const [, neighbor] = /^\.\.\/\.\.\/(vin)\/src\//.exec(specifier) ?? [];
  if (neighbor) return `${neighbor}/${posix.basename(specifier, posix.extname(specifier))}`;
  if (specifier.startsWith('.'))
    return posix.join(posix.dirname(importer), specifier).replace(/\.[jt]s$/, '');
  const [, folder, path] = /^@monroney\/(vin|label)\/(.+)$/.exec(specifier) ?? [];
  return folder ? `${folder}/${path}` : (PACKAGES[specifier] ?? null);
}

/** The source of every module that browsers may load, by name. */
function readSources(): Map<string, string> {
  const sources = new Map<string, string>();
  const follow = (name: string): void => {
    if (sources.has(name)) return;
    const [folder = '', ...path] = name.split('/');
    const { url, extension } = FOLDERS[folder]!;
    const source = readFileSync(new URL(`${path.join('/')}${extension}`, url), 'utf8');
    sources.set(name, source);
    if (isAlone(name)) return;
    for (const pattern of [STATIC_IMPORTS, DYNAMIC_IMPORTS])
      for (const [, , specifier] of source.matchAll(pattern)) {
        const next = moduleOf(specifier!, name);
        if (next) follow(next);
      }
  };
  for (const name of ENTRIES) follow(name);
  return sources;
}

interface Modules {
  base: string;
  sources: ReadonlyMap<string, string>;
}

let read: Modules | undefined;

/** Read on first use, to keep the start of the service fast. */
function modules(): Modules {
  if (!read) {
    const sources = readSources();
    const version = hash('sha256', [...sources.values()].join('\n'), 'hex').slice(0, 10);
    read = { base: `${MODULES_BASE}${version}/`, sources };
  }
  return read;
}

/** How the paths of all modules begin. A hash of them follows. */
export const MODULES_BASE = '/assets/modules-';

/** The path of a module: `/assets/modules-0123456789/vin/web.js`. */
export const moduleUrl = (name: (typeof ENTRIES)[number]): string => `${modules().base}${name}.js`;

const built = new Map<string, Asset>();

/** The module of a path; null if there is none. */
export async function findModule(path: string): Promise<Asset | null> {
  const { base, sources } = modules();
  if (!path.startsWith(base) || !path.endsWith('.js')) return null;
  const name = path.slice(base.length, -'.js'.length);
  const source = sources.get(name);
  if (source === undefined) return null;
  let asset = built.get(name);
  if (!asset) {
    asset = { ...textAsset(JAVASCRIPT, build(name, source)), headers: HEADERS };
    built.set(name, asset);
  }
  return asset;
}

/** One of them is a worker that compiles WebAssembly. Browsers heed a worker's own policy, and ignore that of other modules. */
const HEADERS = { 'content-security-policy': WORKER_POLICY };

/** A module for browsers: without types, and with the paths of its imports. */
function build(name: string, source: string): string {
  if (isAlone(name)) return source;
  const script = EXTENSION === '.ts' && isOurs(name) ? withoutTypes(source) : source;
  const rewrite = (match: string, start: string, specifier: string): string => {
    const imported = moduleOf(specifier, name);
    if (!imported) return match;
    const path = posix.relative(posix.dirname(name), `${imported}.js`);
    return `${start}${path.startsWith('.') ? '' : './'}${path}`;
  };
  return script.replace(STATIC_IMPORTS, rewrite).replace(DYNAMIC_IMPORTS, rewrite);
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
