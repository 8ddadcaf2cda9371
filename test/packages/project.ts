import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packAll } from '../../tools/pack/run.ts';

/** Other programs that run JavaScript. */
export const RUNTIMES = ['deno@2.9.6', 'bun@1.4.4', 'workerd@1.20261104.1'];

/** The packages, built into a folder of the test's own. */
export function packed(): { folder: string; tarballs: string[]; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'monroney-packed-'));
  return {
    folder,
    tarballs: packAll(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** An empty project of somebody else's, outside the repository. */
export interface Project {
  folder: string;
  install(...what: string[]): void;
  write(name: string, text: string): void;
  /** Runs a file with a Node and gives back what it prints. */
  run(node: string, file: string, env?: Record<string, string>): string;
  remove(): void;
}

export function emptyProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), 'monroney-project-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('package.json', '{ "name": "somebody-elses", "private": true }');
  return {
    folder,
    write,
    install: (...what) =>
      void execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...what], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    run(node, file, env = {}) {
      const ran = spawnSync(node, [file], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], ...env },
      });
      if (ran.status !== 0) throw new Error(`${node} ${file}: ${ran.status}\n${ran.stdout}${ran.stderr}`);
      return ran.stdout;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Nodes by major version: this one, those from the registry where there is one for this machine. */
export function nodes(versions: readonly number[], project: Project): Map<number, string> {
  const found = new Map([[Number(process.versions.node.split('.')[0]), process.execPath]]);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  for (const version of versions.filter((one) => !found.has(one))) {
    const alias = `node-${version}`;
    project.install(`${alias}@npm:${name}@${version}`);
    found.set(version, join(project.folder, 'node_modules', alias, 'bin', 'node'));
  }
  return found;
}
