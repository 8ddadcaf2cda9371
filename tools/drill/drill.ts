/** Helpers for the drills: start the real service as a process, send requests from different IP addresses, report. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HEAP_FLAGS, permissionFlags } from '../../bin/permissions.mjs';

export interface DrillResult {
  /** Counts and measurements. */
  figures: Record<string, number | string>;
  /** What went wrong, one line each. */
  failures: string[];
}

/** Records a failure if a condition is false. */
export type Expect = (condition: boolean, failure: string) => void;

/** Collects failures. A drill continues after the first one, to show the rest. */
export function collectFailures() {
  const failures: string[] = [];
  return {
    expect(condition: boolean, failure: string): void {
      if (!condition && failures.length < 40 && !failures.includes(failure)) failures.push(failure);
    },
    result: (figures: DrillResult['figures']): DrillResult => ({ figures, failures }),
  };
}

export interface RunningService {
  child: ChildProcess;
  pid: number;
  port: number;
  kill(signal: NodeJS.Signals): Promise<void>;
}

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Options that let a service use the compile cache of a test run, which halves the CPU time of a start: the permissions
 * it would restart itself with, and permission to write that cache. None outside a test run.
 */
function cachedStart(dataDir: string | undefined): string[] {
  const cache = process.env.NODE_COMPILE_CACHE;
  if (!cache || !dataDir) return [];
  return [...HEAP_FLAGS, ...permissionFlags(dataDir), `--allow-fs-write=${cache}`];
}

/** Each request may come from another IP address (`freshIp`), and simulated sources needn't be spared. */
const SETTINGS = { TRUSTED_PROXIES: '127.0.0.1', SOURCE_PACE_MS: '0' };

interface ServeOptions {
  /** Put in front of the command, such as `prlimit --nofile=64`. */
  before?: string[];
  uid?: number;
  project?: string;
  /** False: without the compile cache of a test run, as an operator starts it. */
  useCache?: boolean;
  /** Settings that `env` may override. */
  settings?: Record<string, string>;
}

/** Starts the service as a process, and waits until it listens. */
export async function serve(
  env: Record<string, string>,
  { before = [], uid, project = PROJECT, useCache = true, settings = SETTINGS }: ServeOptions = {},
): Promise<RunningService> {
  // Another user can't write the cache, nor can a process on a read-only disk.
  const canCache = useCache && before.length === 0 && uid === undefined;
  const cached = canCache ? cachedStart(env.DATA_DIR) : [];
  const command = join(project, 'bin/monroney.mjs');
  const [file, ...args] = [...before, process.execPath, ...cached, command, 'serve'];
  const child = spawn(file, args, {
    env: {
      PATH: process.env.PATH,
      // Only with permission to write it. Without, the service uses the code that `npm ci` compiled.
      ...(cached.length > 0
        ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, NODE_ENV: process.env.NODE_ENV }
        : {}),
      HOST: '127.0.0.1',
      PORT: '0',
      ...settings,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    uid,
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const port = await new Promise<number>((resolve, reject) => {
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const match = /listens on http:\/\/localhost:(\d+)/.exec(output);
      if (match) resolve(Number(match[1]));
    });
    child.once('exit', (code) =>
      reject(new Error(`the service ended with ${code}: ${output.slice(0, 500)}`)),
    );
  });
  return {
    child,
    pid: child.pid!,
    port,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

let lastIp = 0;
/** A new IP address, so that the rate limit stays on but doesn't interfere. */
export function freshIp(): string {
  lastIp++;
  return `10.${(lastIp >> 16) & 255}.${(lastIp >> 8) & 255}.${lastIp & 255}`;
}

export interface HttpResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  ms: number;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 400 });

interface RequestOptions {
  timeoutMs?: number;
  /** With a body, it is a POST. */
  body?: string | undefined;
}

/** Sends one request. Rejects if there is no response within `timeoutMs`. */
export function get(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  { timeoutMs = 600_000, body }: RequestOptions = {},
): Promise<HttpResponse> {
  const from = performance.now();
  const method = body === undefined ? 'GET' : 'POST';
  const sent = { 'x-forwarded-for': freshIp(), ...headers };
  return new Promise((resolve, reject) => {
    const request = http.request({ port, path, host: '127.0.0.1', agent, method, headers: sent }, (res) => {
      res.toArray().then((chunks) => {
        const ms = performance.now() - from;
        resolve({ status: res.statusCode!, headers: res.headers, body: Buffer.concat(chunks), ms });
      }, reject);
    });
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`no response within ${timeoutMs} ms`)));
    request.on('error', reject).end(body);
  });
}

/** The metrics of a service, by name. */
export async function metricsOf(adminPort: number): Promise<(name: string) => number> {
  const read = () => get(adminPort, '/metrics');
  // An idle connection may be closed just when it is used again.
  const { body } = await read().catch(read);
  const lines = body.toString().split('\n');
  return (name) => Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length) ?? 0);
}

/** CPU time of all threads of a process so far, in nanoseconds. */
export function cpuNs(pid: number): number {
  const spent = readdirSync(`/proc/${pid}/task`).map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return spent.reduce((sum, ns) => sum + ns, 0);
}

/** Resident memory now and at its peak, and open file descriptors of a process. */
export function vitals(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  // A process that is about to end has no memory any more, and no such lines.
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1000;
  return {
    rssMb: megabytes('VmRSS'),
    peakMb: megabytes('VmHWM'),
    handles: readdirSync(`/proc/${pid}/fd`).length,
  };
}
