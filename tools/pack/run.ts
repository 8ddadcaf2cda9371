/**
 * Builds and packs the published packages (`monroney`, `@monroney/vin`, `@monroney/label`, `@monroney/client`) as
 * JavaScript with types in `dist/`, the bundle for desktop assistants, the bill of materials and the checksums of all: `npm run pack`.
 */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

/** In the order of a release: a package comes after those it depends on. */
const PACKERS = { vin: packVin, client: packClient, label: packLabel, monroney: packService };

export type PackageName = keyof typeof PACKERS;
export const PACKAGES = Object.keys(PACKERS) as PackageName[];

/** Builds and packs some packages into a folder, and returns their tarballs by name. */
export function packInto<Name extends PackageName>(
  dist: string,
  names: readonly Name[],
): Record<Name, string> {
  for (const name of names) rmSync(join(dist, name), { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const packed = names.map((name) => [name, PACKERS[name](join(dist, name))]);
  return Object.fromEntries(packed) as Record<Name, string>;
}

function packVin(out: string): string {
  const [entry, rootDir] = ['packages/vin/src/index.ts', 'packages/vin/src'];
  const entries = [entry, ...['generated/enums.ts', 'text.ts'].map((file) => join(rootDir, file))];
  const esmOnly = ['browser.ts', 'web.ts', 'split.ts', 'compile/index.ts'].map((file) => join(rootDir, file));
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
  // For the README's first example.
  copyFileSync(join(ROOT, 'src/lookup/specimens/1FMUK8DH0TG000000.pdf'), join(out, 'sample.pdf'));
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

interface Sbom {
  metadata: { component: object };
  components: { 'bom-ref': string; properties?: { name: string; value: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** The bill of materials of what runs, for a release. */
export function writeSbom(dist: string): string {
  const options = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const { status, stdout, stderr } = spawnSync('npm', options, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`npm sbom: ${stderr}`);
  const { name, version } = manifestOf('.');
  const sbom = JSON.parse(stdout) as Sbom;
  // Not with npm's --omit=dev: that leaves out what runs, too, if a tool of ours needs it as well.
  const isTool = ({ properties = [] }: Sbom['components'][number]) =>
    properties.some((property) => property.name === 'cdx:npm:package:development');
  const tools = new Set(sbom.components.filter(isTool).map((component) => component['bom-ref']));
  const shipped = (ref: string) => !tools.has(ref);
  sbom.components = sbom.components.filter((component) => shipped(component['bom-ref']));
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => shipped(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(shipped) }));
  // npm calls it like its folder.
  Object.assign(sbom.metadata.component, { name });
  const file = join(dist, `${name}-${version}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  return file;
}

/** SHA-256 of each file, as `sha256sum --check SHA256SUMS` reads them. */
export function writeChecksums(dist: string, files: readonly string[]): string {
  const lines = files.map((file) => `${hash('sha256', readFileSync(file), 'hex')}  ${basename(file)}\n`);
  const list = join(dist, 'SHA256SUMS');
  writeFileSync(list, lines.join(''));
  return list;
}

if (import.meta.main) {
  const dist = join(ROOT, 'dist');
  const files = [...Object.values(packInto(dist, PACKAGES)), packBundle(dist), writeSbom(dist)];
  for (const file of [...files, writeChecksums(dist, files)])
    process.stdout.write(`${file.slice(ROOT.length)}\n`);
}
