import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Third-party programs in tools/third-party, installed if missing. */
const folder = fileURLToPath(new URL('../tools/third-party/', import.meta.url));

export function installPeers(): void {
  oneAtATime(installPackages);
}

const LOCK_CHECK_MS = 500;
/** Longer than any install takes; the process that holds an older lock was killed. */
const STALE_LOCK_MS = 10 * 60_000;

/** Test files run at the same time, and two installs into one folder spoil each other. */
function oneAtATime<T>(install: () => T): T {
  const lock = join(folder, 'installing');
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
      if (since !== undefined && Date.now() - since > STALE_LOCK_MS)
        rmSync(lock, { recursive: true, force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_CHECK_MS);
    }
  }
  try {
    return install();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function installPackages(): void {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  if (Object.keys(dependencies).every((name) => existsSync(join(folder, 'node_modules', name)))) return;
  process.stderr.write('Installing third-party test programs into tools/third-party …\n');
  const { status } = spawnSync(
    'npm',
    ['install', '--prefix', folder, '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (status !== 0)
    throw new Error('"npm install --prefix tools/third-party" failed. These tests need what it installs.');
}

export function peerPath(path: string): string {
  return join(folder, 'node_modules', path);
}

/** Imports a module from tools/third-party, such as the v1 SDK's client. */
export async function peer<T>(name: string): Promise<T> {
  const { resolve } = createRequire(join(folder, 'package.json'));
  return (await import(pathToFileURL(resolve(name)).href)) as T;
}

export interface PeerResult {
  code: number;
  out: string;
  err: string;
}

/** Runs a third-party program to completion, with `home` as its home directory. */
export function runPeer(script: string, args: string[], home: string): Promise<PeerResult> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 1e8, cwd: home, env: { ...process.env, HOME: home } };
    execFile(process.execPath, [peerPath(script), ...args], options, (error, out, err) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, out, err });
    });
  });
}

/**
 * A Python virtual environment with the packages in tools/third-party/requirements.txt, or in another requirements file: packages
 * with conflicting versions need separate environments. Null if Python is not installed.
 */
export function peerPython(set?: 'deploy' | 'mcp' | 'tables'): string | null {
  const suffix = set ? `-${set}` : '';
  const venv = join(folder, `venv${suffix}`);
  const python = join(venv, 'bin/python');
  const requirements = join(folder, `requirements${suffix}.txt`);
  const ready = join(venv, 'ready');
  const content = readFileSync(requirements, 'utf8');
  const isReady = () => existsSync(ready) && readFileSync(ready, 'utf8') === content;
  if (isReady()) return python;
  return oneAtATime(() => (isReady() || createVenv(venv, requirements, content) ? python : null));
}

/** False if Python is not installed. */
function createVenv(venv: string, requirements: string, content: string): boolean {
  const python = join(venv, 'bin/python');
  const created = spawnSync('python3', ['-m', 'venv', venv], { stdio: 'ignore' });
  if (created.status !== 0) return false;
  const { status } = spawnSync(python, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`pip could not install ${requirements}: these tests need it.`);
  writeFileSync(join(venv, 'ready'), content);
  return true;
}

export const hasGo = (): boolean => spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;

const GO_PROGRAMS = {
  'oapi-codegen': 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.1',
  'compose-go': 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2',
};

/** The path of a Go program in tools/third-party/bin; null if Go is not installed. */
export function peerGo(name: keyof typeof GO_PROGRAMS): string | null {
  const bin = join(folder, 'bin', name);
  const module = GO_PROGRAMS[name];
  const program = join(bin, /(\w[\w-]*)@/.exec(module)![1]!);
  if (existsSync(program)) return program;
  if (!hasGo()) return null;
  const { status } = spawnSync('go', ['install', module], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, GOBIN: bin },
  });
  if (status !== 0) throw new Error(`"go install ${module}" failed: these tests need it.`);
  return program;
}

/** The source folder of a Go module, downloaded from the Go proxy; null if Go is not installed. */
export function goModule(module: string): string | null {
  if (!hasGo()) return null;
  const { stdout, status, stderr } = spawnSync('go', ['mod', 'download', '-json', module], {
    encoding: 'utf8',
    cwd: folder,
  });
  if (status !== 0) throw new Error(`"go mod download ${module}" failed: ${stderr}`);
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

const MAVEN_CENTRAL = 'https://repo1.maven.org/maven2/';

/** The paths of the jars in tools/third-party/jars.txt, downloaded into tools/third-party/jars: openapi-generator, then what its client needs. */
export async function peerJars(): Promise<string[]> {
  mkdirSync(join(folder, 'jars'), { recursive: true });
  const lines = readFileSync(join(folder, 'jars.txt'), 'utf8').trim().split('\n');
  return Promise.all(lines.map((line) => downloadJar(...(line.split('  ') as [string, string]))));
}

async function downloadJar(sha256: string, path: string): Promise<string> {
  const jar = join(folder, 'jars', basename(path));
  if (existsSync(jar)) return jar;
  const url = MAVEN_CENTRAL + path;
  const fail = (problem: unknown): never => {
    throw new Error(`${url} could not be downloaded (${String(problem)}): these tests need it.`);
  };
  const response = await fetch(url).catch(fail);
  if (!response.ok) fail(`status ${response.status}`);
  const bytes = await response.bytes().catch(fail);
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== sha256) fail(`its SHA-256 is ${actual}`);
  // Another process never sees half a file.
  writeFileSync(`${jar}.${process.pid}`, bytes);
  renameSync(`${jar}.${process.pid}`, jar);
  return jar;
}
