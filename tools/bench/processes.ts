/** Runs programs as processes pinned to a core, and reads their CPU time and memory from the kernel. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The servers share one core; the load generator uses the other. */
export const SERVER_CORE = 0;
export const CLIENT_CORE = 1;

const canPin = existsSync('/usr/bin/taskset') && availableParallelism() > 1;

/** Raises the priority where that is allowed. */
const PRIORITY = process.getuid?.() === 0 && existsSync('/usr/bin/nice') ? ['nice', '-n', '-15'] : [];

export const pathTo = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export interface Program {
  child: ChildProcess;
  pid: number;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
// Stop the programs however the bench ends.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function startProgram(
  script: string,
  args: string[],
  options: {
    core?: number;
    env?: Record<string, string>;
    nodeFlags?: readonly string[];
    quiet?: boolean;
    withoutIpc?: boolean;
  } = {},
): Program {
  const pin = canPin && options.core !== undefined ? ['taskset', '-c', String(options.core)] : [];
  const [file, ...rest] = [
    ...PRIORITY,
    ...pin,
    process.execPath,
    ...(options.nodeFlags ?? []),
    script,
    ...args,
  ];
  const child = spawn(file!, rest, {
    env: { PATH: process.env.PATH, ...options.env },
    stdio: ['ignore', 'ignore', options.quiet ? 'ignore' : 'inherit', options.withoutIpc ? 'ignore' : 'ipc'],
    // Needed for buffers and large arrays.
    serialization: 'advanced',
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return {
    child,
    // nice and taskset replace themselves with the program, so the process id is the program's.
    pid: child.pid!,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(killTimer);
    },
  };
}

/** Sends a message to a program, if there is one, and returns its next message. */
export async function callProgram<T>(program: Program, message?: unknown): Promise<T> {
  const { child } = program;
  const received = new Promise<T>((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a program under test ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (reply) => {
      child.off('exit', onExit);
      resolve(reply as T);
    });
  });
  if (message !== undefined) child.send(message as object);
  return received;
}

/** CPU time of all threads of a process so far, in nanoseconds. */
export function cpuNs(pid: number): number {
  let total = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    total += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
  }
  return total;
}

/** Resident memory now and at its peak, in megabytes. */
export function memoryOf(pid: number): { nowMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1000;
  return { nowMb: read('VmRSS'), peakMb: read('VmHWM') };
}
