import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

interface Locked {
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  optional?: boolean;
  dev?: boolean;
  devOptional?: boolean;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Locked> };
/** The project and its own packages aren't downloaded. */
const downloaded = Object.entries(packages).filter(
  ([path, entry]) => path.includes('node_modules/') && !entry.link,
);

test('our lockfile has a hash and an exact version for every package', () => {
  assert.ok(downloaded.length > 100);
  for (const [path, { integrity, resolved, hasInstallScript, optional }] of downloaded) {
    assert.match(integrity ?? '', /^sha512-[A-Za-z0-9+/]{86}==$/, path);
    if (resolved) assert.match(resolved, /^https:\/\/[^/]+\/.+\.tgz$/, `${path}: not from a registry`);
    assert.ok(!hasInstallScript || optional, `${path} runs a script when installed`);
  }
  for (const file of ['package.json', 'vendor/node-24/package.json']) {
    const manifest = JSON.parse(textOf(file)) as Record<string, Record<string, string> | undefined>;
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
      for (const [name, version] of Object.entries(manifest[kind] ?? {}))
        assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$|^file:vendor\/[\w-]+$/, `${file}: ${name}`);
  }
});

function hasLicense(folder: string): boolean {
  const names = readdirSync(folder);
  if (names.some((name) => /^(licen[cs]e|copying|notice)/i.test(name))) return true;
  const readme = names.find((name) => /^readme\.md$/i.test(name));
  return !!readme && /^## +licen[cs]/im.test(readFileSync(join(folder, readme), 'utf8'));
}

test('every package that is shipped contains its license, or ours has it, and the image keeps it', () => {
  const ours = textOf('THIRD-PARTY-LICENSES.md');
  const isInOurs = (path: string): boolean => ours.includes(`\n## ${path.split('node_modules/').at(-1)}\n`);
  for (const [path, { dev, devOptional }] of downloaded) {
    const folder = join(ROOT, path);
    // Packages for other systems aren't installed.
    if (!dev && !devOptional && existsSync(folder)) assert.ok(hasLicense(folder) || isInOurs(path), path);
  }
  const dockerfile = textOf('Dockerfile');
  assert.match(dockerfile, /^COPY .*\bLICENSE THIRD-PARTY-LICENSES\.md /m);
  // Some packages have their license in README.md.
  assert.doesNotMatch(dockerfile, /-name '\*\.(md|txt)'|-name '\*'/);
});
