/** Programs under test as processes of their own, pinned to a core, with what the kernel says they used. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The servers share one core; whoever asks sits on the other. */
export const SERVER_CORE = 0;
export const CLIENT_CORE = 1;

const canPin = existsSync('/usr/bin/taskset') && availableParallelism() > 1;

/** Before whatever else the machine has to do, where we may ask for that. */
const FIRST = process.getuid?.() === 0 && existsSync('/usr/bin/nice') ? ['nice', '-n', '-15'] : [];

export const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export interface Program {
  child: ChildProcess;
  pid: number;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
// However a bench ends, its programs end with it.
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
    /** Without a channel to talk through. */
    alone?: boolean;
  } = {},
): Program {
  const pin = canPin && options.core !== undefined ? ['taskset', '-c', String(options.core)] : [];
  const [file, ...rest] = [...FIRST, ...pin, process.execPath, ...(options.nodeFlags ?? []), script, ...args];
  const child = spawn(file!, rest, {
    env: { PATH: process.env.PATH, ...options.env },
    stdio: ['ignore', 'ignore', options.quiet ? 'ignore' : 'inherit', options.alone ? 'ignore' : 'ipc'],
    // Structured clones carry buffers and big arrays as they are.
    serialization: 'advanced',
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return {
    child,
    // nice and taskset become the program they start: the same process.
    pid: child.pid!,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** The next message of a program, after a question if there is one. */
export async function ask<T>(program: Program, question?: unknown): Promise<T> {
  const { child } = program;
  const answer = new Promise<T>((resolve, reject) => {
    const gone = (code: number | null) => reject(new Error(`a program under test ended with ${code}`));
    child.once('exit', gone);
    child.once('message', (message) => {
      child.off('exit', gone);
      resolve(message as T);
    });
  });
  if (question !== undefined) child.send(question as object);
  return answer;
}

/** Nanoseconds of CPU that all threads of a process have had so far. */
export function cpuNs(pid: number): number {
  let total = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    total += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
  }
  return total;
}

/** Resident megabytes now, and the most there ever were. */
export function memoryOf(pid: number): { nowMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1000;
  return { nowMb: read('VmRSS'), peakMb: read('VmHWM') };
}
