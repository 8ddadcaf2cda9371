/**
 * Builds and packs the published packages (`monroney`, `@monroney/vin`, `@monroney/label`, `@monroney/client`) as JavaScript with types in
 * `dist/`, the bundle for desktop assistants and the bill of materials: `npm run pack`.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packBundle } from './bundle.ts';
import { TEST_ONLY } from '../lint/imports.ts';
import { compile, ROOT } from './compile.ts';
import {
  labelManifest,
  libraryManifest,
  manifestOf,
  serviceManifest,
  vinManifest,
  type Manifest,
} from './manifest.ts';
import { partModules, partsFolder } from './parts.ts';

/** Builds and packs everything into a folder, and returns the tarballs. */
export function packAll(dist: string): string[] {
  for (const name of ['monroney', 'vin', 'label', 'client'])
    rmSync(join(dist, name), { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  return [
    packVin(join(dist, 'vin')),
    packClient(join(dist, 'client')),
    packLabel(join(dist, 'label')),
    packService(join(dist, 'monroney')),
  ];
}

function packVin(out: string): string {
  const [entry, rootDir] = ['packages/vin/src/index.ts', 'packages/vin/src'];
  const entries = [entry, ...['enums.ts', 'text.ts'].map((file) => join(rootDir, file))];
  const esmOnly = ['browser.ts', 'web.ts', 'split.ts'].map((file) => join(rootDir, file));
  compile({ files: [...entries, ...esmOnly], rootDir, out: join(out, 'esm') });
  compile({ files: entries, rootDir, out: join(out, 'cjs'), commonJs: true });
  const parts = partsFolder();
  cpSync(parts, join(out, 'data/parts'), { recursive: true });
  writeFileSync(join(out, 'esm/part-modules.js'), partModules(parts));
  return pack(out, vinManifest(), 'packages/vin/README.md');
}

function packLabel(out: string): string {
  const files = shippedFiles('packages/label/src/**/*.ts');
  for (const [format, commonJs] of [
    ['esm', false],
    ['cjs', true],
  ] as const) {
    const built = join(out, 'built');
    compile({ files, rootDir: 'packages', out: built, commonJs });
    // The decoder is a separate package.
    cpSync(join(built, 'label/src'), join(out, format), { recursive: true });
    if (commonJs) copyFileSync(join(built, 'package.json'), join(out, format, 'package.json'));
    rmSync(built, { recursive: true });
  }
  return pack(out, labelManifest(), 'packages/label/README.md');
}

function packClient(out: string): string {
  // The offline check is part of the decoder's package. Its few files are included instead of a dependency.
  const from = { files: ['packages/client/src/index.ts', 'packages/client/src/vin.ts'], rootDir: 'packages' };
  compile({ ...from, out: join(out, 'esm') });
  compile({ ...from, out: join(out, 'cjs'), commonJs: true });
  const entries = { '.': 'client/src/index', './vin': 'client/src/vin' };
  return pack(out, libraryManifest('packages/client', entries), 'packages/client/README.md');
}

function packService(out: string): string {
  compile({ files: shippedFiles('src/**/*.ts'), rootDir: '.', out });
  // The libraries are separate packages.
  rmSync(join(out, 'packages'), { recursive: true, force: true });
  for (const file of globSync('src/**/*', { cwd: ROOT, withFileTypes: true })) {
    const path = join(file.parentPath, file.name).slice(ROOT.length);
    if (file.isFile() && !path.endsWith('.ts')) copyInto(path, out);
  }
  cpSync(join(ROOT, 'docs'), join(out, 'docs'), { recursive: true });
  copyInto('bin/node-24.mjs', out);
  copyInto('bin/permissions.mjs', out);
  const entry = readFileSync(join(ROOT, 'bin/monroney.mjs'), 'utf8').replace(
    'cli/monroney.ts',
    'cli/monroney.js',
  );
  writeFileSync(join(out, 'bin/monroney.mjs'), entry, { mode: 0o755 });
  return pack(out, serviceManifest(), 'README.md');
}

function shippedFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT }).filter((file) => !TEST_ONLY.test(file));
}

function copyInto(path: string, out: string): void {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  copyFileSync(join(ROOT, path), join(out, path));
}

function pack(folder: string, manifest: Manifest, readme: string): string {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(ROOT, readme), join(folder, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const result = spawnSync('npm', ['pack', '--json', '--offline', '--pack-destination', '..'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(`npm pack: ${result.stderr}`);
  const file = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
  return join(dirname(folder), file);
}

/** The bill of materials of what runs, for a release. */
export function writeSbom(dist: string): string {
  const options = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev'];
  const { status, stdout, stderr } = spawnSync('npm', options, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm sbom: ${stderr}`);
  const { name, version } = manifestOf('.');
  const sbom = JSON.parse(stdout) as { metadata: { component: object } };
  // npm calls it like its folder.
  Object.assign(sbom.metadata.component, { name });
  const file = join(dist, `${name}-${version}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  return file;
}

if (import.meta.main) {
  const dist = join(ROOT, 'dist');
  for (const file of [...packAll(dist), packBundle(dist), writeSbom(dist)])
    process.stdout.write(`${file.slice(ROOT.length)}\n`);
}
