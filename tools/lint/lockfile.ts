/**
 * Checks the lockfile: `node tools/lint/lockfile.ts`. Every package has a strong hash and comes from the public registry,
 * no version is a range, and no package runs a script at install.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  optional?: boolean;
  dev?: boolean;
  devOptional?: boolean;
}

/** What is wrong with a lockfile, one line each. */
export function lockfileProblems(
  lockfile: { packages: Record<string, Locked> },
  manifests: object[],
): string[] {
  const problems: string[] = [];
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    // The project and its own packages aren't downloaded.
    if (!path.includes('node_modules/') || entry.link) continue;
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? ''))
      problems.push(`${path}: no SHA-512 hash`);
    if (entry.resolved && !/^https:\/\/[^/]+\/.+\.tgz$/.test(entry.resolved))
      problems.push(`${path}: not from a registry over https`);
    if (entry.hasInstallScript && !entry.optional) problems.push(`${path}: runs a script when installed`);
  }
  for (const manifest of manifests as Record<string, Record<string, string> | undefined>[]) {
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        if (!/^\d+\.\d+\.\d+(-[\w.]+)?$|^file:vendor\/[\w-]+$/.test(version))
          problems.push(`${name}: "${version}" is not an exact version`);
      }
    }
  }
  return problems;
}

const read = (path: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8'));

export const ownProblems = (): string[] =>
  lockfileProblems(read('../../package-lock.json'), [
    read('../../package.json'),
    read('../../vendor/node-24/package.json'),
  ]);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/** Packages that are shipped without the text of their license. Those for other systems aren't installed. */
export function withoutLicense(): string[] {
  const { packages } = read('../../package-lock.json') as { packages: Record<string, Locked> };
  return Object.entries(packages)
    .filter(
      ([path, entry]) => path.includes('node_modules/') && !entry.dev && !entry.devOptional && !entry.link,
    )
    .map(([path]) => path)
    .filter((path) => existsSync(join(ROOT, path)) && !hasLicense(join(ROOT, path)));
}

function hasLicense(folder: string): boolean {
  const names = readdirSync(folder);
  if (names.some((name) => LICENSE_FILE.test(name))) return true;
  const readme = names.find((name) => /^readme\.md$/i.test(name));
  return !!readme && /^## +licen[cs]/im.test(readFileSync(join(folder, readme), 'utf8'));
}

if (import.meta.main) {
  const problems = ownProblems();
  process.stdout.write(problems.length ? `${problems.join('\n')}\n` : 'The lockfile has no problems.\n');
  process.exit(problems.length ? 1 : 0);
}
