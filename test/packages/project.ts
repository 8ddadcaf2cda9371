import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { packInto, type PackageName } from '../../tools/pack/run.ts';

/** Other JavaScript runtimes. */
export const RUNTIMES = ['deno@2.9.6', 'bun@1.4.4', 'workerd@1.20261104.1'];

/** Builds packages into a temporary folder. */
export function packPackages<Name extends PackageName>(...names: Name[]) {
  const folder = mkdtempSync(join(tmpdir(), 'monroney-packed-'));
  return {
    folder,
    /** By name. */
    tarballs: packInto(folder, names),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** An empty project outside the repository. */
export interface Project {
  folder: string;
  install(...packages: string[]): void;
  write(name: string, text: string): void;
  /** Runs a file with a version of Node and returns what it prints. */
  run(node: string, file: string, env?: Record<string, string>): string;
  remove(): void;
}

export function emptyProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), 'monroney-project-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('package.json', '{ "name": "test-project", "private": true }');
  return {
    folder,
    write,
    install: (...packages) =>
      void execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    run(node, file, env = {}) {
      const result = spawnSync(node, [file], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], ...env },
      });
      if (result.status !== 0)
        throw new Error(`${node} ${file}: ${result.status}\n${result.stdout}${result.stderr}`);
      return result.stdout;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Node executables by major version: this one, and others from the registry. */
export function installNodes(versions: readonly number[], project: Project): Map<number, string> {
  const executables = new Map([[Number(process.versions.node.split('.')[0]), process.execPath]]);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  for (const version of versions.filter((candidate) => !executables.has(candidate))) {
    const alias = `node-${version}`;
    project.install(`${alias}@npm:${name}@${version}`);
    executables.set(version, join(project.folder, 'node_modules', alias, 'bin', 'node'));
  }
  return executables;
}

/** The library packages, installed into an empty project, with several versions of Node to run it. */
export function installedPackages<Name extends PackageName>(versions: readonly number[], ...more: Name[]) {
  const built = packPackages<'vin' | 'client' | 'label' | Name>('vin', 'client', 'label', ...more);
  const project = emptyProject();
  const { vin, client, label } = built.tarballs;
  project.install(vin, client, label);
  const tools = emptyProject();
  return {
    built,
    project,
    /** Where programs are installed that must not be in the project. */
    tools,
    byVersion: installNodes(versions, tools),
    remove() {
      for (const folder of [project, tools, built]) folder.remove();
    },
  };
}

/** A website with the files of a folder, compressed, and an empty page at `/` if it has none. */
export async function serveFolder(folder: string) {
  let bytes = 0;
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const file = join(folder, pathname === '/' ? 'index.html' : pathname);
    if (!existsSync(file) && pathname !== '/') return void response.writeHead(404).end();
    const body = gzipSync(existsSync(file) ? readFileSync(file) : '<!doctype html><title>A page</title>');
    bytes += body.length;
    const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
    const type = types[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** That were sent. */
    bytes: () => bytes,
    close: () => void server.close(),
  };
}

/** What a program prints. Asynchronous, because services run in this process. */
export async function outputOf(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string | undefined> },
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { ...options, maxBuffer: 1e8 });
  return stdout;
}
