import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './compile.ts';

/** Scoped packages are private by default. Provenance records the build. */
const PUBLISH = { access: 'public', provenance: true };

export type Manifest = Record<string, unknown> & { name: string; version: string };

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
}

/** Entries for `import` and `require`, each with its types. */
function importAndRequire(module: string) {
  return {
    import: { types: `./esm/${module}.d.ts`, default: `./esm/${module}.js` },
    require: { types: `./cjs/${module}.d.ts`, default: `./cjs/${module}.js` },
  };
}

/** A library's published manifest: its package.json, with the paths of the built files. */
export function libraryManifest(folder: string, entries: Record<string, string>): Manifest {
  const manifest = manifestOf(folder);
  const main = entries['.']!;
  return {
    ...manifest,
    main: `./cjs/${main}.js`,
    module: `./esm/${main}.js`,
    types: `./cjs/${main}.d.ts`,
    exports: {
      ...Object.fromEntries(
        Object.entries(entries).map(([name, module]) => [name, importAndRequire(module)]),
      ),
      './package.json': './package.json',
    },
    files: ['esm', 'cjs', 'data'],
    publishConfig: PUBLISH,
  };
}

/** The decoder's manifest: browsers and workers get an entry without Node, and the data in parts. */
export function vinManifest(): Manifest {
  const manifest = libraryManifest('packages/vin', { '.': 'index' });
  const web = { types: './esm/browser.d.ts', default: './esm/browser.js' };
  return {
    ...manifest,
    exports: {
      '.': { workerd: web, browser: web, ...importAndRequire('index') },
      './web': web,
      './check-digit': importAndRequire('check-digit'),
      './compile': { types: './esm/compile/index.d.ts', default: './esm/compile/index.js' },
      './enums': importAndRequire('generated/enums'),
      './text': importAndRequire('text'),
      './split': { types: './esm/split.d.ts', default: './esm/split.js' },
      './data/*': './data/*',
      './package.json': './package.json',
    },
  };
}

/** The reader's manifest: the service uses its parts too. */
export function labelManifest(): Manifest {
  const manifest = libraryManifest('packages/label', { '.': 'index' });
  return {
    ...manifest,
    exports: {
      '.': importAndRequire('index'),
      './*': importAndRequire('*'),
      './package.json': './package.json',
    },
    files: ['esm', 'cjs', 'sample.pdf'],
  };
}

/** The service's manifest: no scripts, no workspaces, and the libraries as dependencies of the same version. */
export function serviceManifest(): Manifest {
  const { private: _, workspaces: __, scripts: ___, devDependencies: ____, ...rest } = manifestOf('.');
  const own = Object.fromEntries(
    ['packages/vin', 'packages/label', 'packages/client'].map((folder) => {
      const { name, version } = manifestOf(folder);
      return [name, version];
    }),
  );
  const entry = (module: string) => ({ types: `./src/${module}.d.ts`, default: `./src/${module}.js` });
  return {
    ...rest,
    dependencies: { ...own, ...(rest['dependencies'] as object) },
    exports: {
      '.': entry('main'),
      './config': entry('config'),
      './log': entry('lib/log'),
      './package.json': './package.json',
    },
    files: ['bin', 'src', 'docs'],
    publishConfig: PUBLISH,
  };
}
