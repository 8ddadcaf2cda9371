/** What every drill needs: the real service as a process, askers with addresses of their own, and a verdict. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface DrillResult {
  name: string;
  ok: boolean;
  /** What was counted and measured. */
  figures: Record<string, number | string>;
  /** What went wrong, one line each. */
  wrong: string[];
}

/** Collects what must hold; a drill goes on after the first failure, to show the rest. */
export function verdict(name: string) {
  const wrong: string[] = [];
  return {
    holds(condition: boolean, otherwise: string): void {
      if (!condition && wrong.length < 40 && !wrong.includes(otherwise)) wrong.push(otherwise);
    },
    result: (figures: DrillResult['figures']): DrillResult => ({
      name,
      ok: wrong.length === 0,
      figures,
      wrong,
    }),
  };
}

export interface Served {
  child: ChildProcess;
  pid: number;
  port: number;
  /** Milliseconds from the command to listening. */
  startMs: number;
  kill(signal: NodeJS.Signals): Promise<void>;
}

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the service as an operator does; `before` comes before the command, such as `prlimit --nofile=64`. */
export async function serve(
  env: Record<string, string>,
  options: { before?: string[]; nodeFlags?: string[]; uid?: number; project?: string } = {},
): Promise<Served> {
  const command = join(options.project ?? PROJECT, 'bin/monroney.mjs');
  const [file, ...args] = [
    ...(options.before ?? []),
    process.execPath,
    ...(options.nodeFlags ?? []),
    command,
    'serve',
  ];
  const from = performance.now();
  const child = spawn(file, args, {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      TRUSTED_PROXIES: '127.0.0.1',
      SOURCE_PACE_MS: '0',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    uid: options.uid,
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const port = await new Promise<number>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /listens on http:\/\/localhost:(\d+)/.exec(said);
      if (found) resolve(Number(found[1]));
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${said.slice(0, 500)}`)));
  });
  return {
    child,
    pid: child.pid!,
    port,
    startMs: performance.now() - from,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

let caller = 0;
/** An address that nobody else asks from: the limit stays on and counts nobody together. */
export function freshAddress(): string {
  caller++;
  return `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`;
}

export interface Answered {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  ms: number;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 400 });

/** One request; rejects when there is no answer within `withinMs`. */
export function get(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  withinMs = 40_000,
): Promise<Answered> {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.get(
      { port, path, host: '127.0.0.1', agent, headers: { 'X-Forwarded-For': freshAddress(), ...headers } },
      (res) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('error', reject);
        res.on('end', () => {
          const ms = performance.now() - from;
          resolve({ status: res.statusCode!, headers: res.headers, body: Buffer.concat(parts), ms });
        });
      },
    );
    request.setTimeout(withinMs, () => request.destroy(new Error(`no answer within ${withinMs} ms`)));
    request.on('error', reject);
  });
}

/** Resident megabytes, open handles and processor time of a process. */
export function vitals(pid: number): { rssMb: number; handles: number; cpuMs: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  // After the name in brackets, which may hold anything: user and system time, in hundredths of a second.
  const [, times = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = times.split(' ').slice(11, 13).map(Number) as [number, number];
  return {
    cpuMs: (user + system) * 10,
    rssMb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1000,
    handles: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** `work` for each of `items`, so many at a time. */
export async function atOnce<T>(
  items: readonly T[],
  many: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: many }, worker));
}
