import { spawn, type ChildProcess, execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  CHANNEL_FD,
  onMessage,
  sendMessage,
  READY,
  type ChildKind,
  type Opened,
  type Request,
} from './channel.ts';
import type { Confinement } from './confinement.ts';

/** Why a child ended during a job. `killed`: by another process, which says nothing about the file. */
type Death = 'timeout' | 'memory' | 'broken' | 'killed';

type Received = Opened & { spent: boolean };

export interface LabelChild {
  readonly pid: number;
  /** Aborted when the process has exited. */
  readonly exited: AbortSignal;
  /** What the kernel doesn't keep it from, for the operator; null if nothing. */
  readonly gap: string | null;
  /** Opens one file; never two at a time. Kills the child when the file has taken `deadlineMs` of CPU time, or twice that. */
  open(request: Request, deadlineMs: number): Promise<{ reply: Received } | { death: Death }>;
  /** Kills the process, which has no state to save. Resolves when it has exited. */
  kill(): Promise<void>;
}

const isLinux = process.platform === 'linux';

const START_TIMEOUT_MS = 20_000;
const CHECK_MS = 100;
/** How much longer than its CPU time a file may take, because others use the cores or the host does. */
const MAX_DELAY_FACTOR = 2;

const NODE_FLAGS = [
  // No writing, no other programs, no native code. The confinement says what may be read.
  '--permission',
  // A signal must not open a debugger.
  '--disable-sigusr1',
  // The system's is outside of what may be read, and nothing here encrypts.
  ...(isLinux ? ['--openssl-config=/dev/null'] : []),
  '--no-warnings',
  '--v8-pool-size=1',
  '--max-semi-space-size=16',
];
const FLAGS_BY_KIND: Record<ChildKind, string[]> = {
  text: ['--max-old-space-size=160'],
  preview: ['--max-old-space-size=64'],
  // sharp is native code, so that this child gets no PDF.
  picture: ['--max-old-space-size=64', '--allow-addons'],
};

/**
 * The compile cache of a test run, which halves the CPU time of a start. Only in tests: Node uses a cache only if it may
 * write it, and a child that a hostile PDF took over must not write code that other processes run.
 */
export const testCache = () =>
  (process.env['NODE_ENV'] === 'test' && process.env['NODE_COMPILE_CACHE']) || null;

const MAX_COMPLAINT = 2000;

/**
 * Starts a child and waits until it is ready; null if it takes too long or `stop` is aborted, `refused` if it exits by itself
 * before it is ready. `onComplaint` gets what it writes. Other children can't write anything, because nobody would read it.
 */
export async function launchChild(
  kind: ChildKind,
  stop: AbortSignal,
  program: string,
  confinement: Confinement,
  onComplaint?: (text: string) => void,
): Promise<LabelChild | 'refused' | null> {
  const cache = testCache();
  const { command, args } = withLimits([
    ...confinement.prefix,
    process.execPath,
    ...NODE_FLAGS,
    ...FLAGS_BY_KIND[kind],
    ...confinement.readFlags(program, ...(cache ? [cache] : [])),
    ...(cache ? [`--allow-fs-write=${cache}`] : []),
    program,
    kind,
  ]);
  const child = spawn(command, args, {
    // The last is CHANNEL_FD.
    stdio: ['ignore', 'ignore', onComplaint ? 'pipe' : 'ignore', 'pipe'],
    // Not the service's environment, whose URLs contain passwords.
    env: {
      UV_THREADPOOL_SIZE: '1',
      MALLOC_ARENA_MAX: '2',
      SystemRoot: process.env['SystemRoot'],
      ...(cache ? { NODE_COMPILE_CACHE: cache } : {}),
    },
    windowsHide: true,
  });
  const exited = new AbortController();
  child.once('exit', () => exited.abort());
  child.once('error', () => exited.abort());
  child.unref();
  if (onComplaint) {
    let text = '';
    child.stderr!.on('data', (chunk: Buffer) => (text = (text + chunk).slice(0, MAX_COMPLAINT)));
    child.once('close', () => onComplaint(text.trim()));
    child.once('error', (error) => onComplaint(error.message));
  }
  const channel = child.stdio[CHANNEL_FD] as Socket;
  // If the child dies while a body is being written, its exit event handles it.
  channel.on('error', () => {}).unref();
  const next = messagesFrom(channel, () => child.kill('SIGKILL'));
  const ready = await next(AbortSignal.any([exited.signal, stop]), START_TIMEOUT_MS);
  if (ready?.value !== READY || child.pid === undefined) {
    // A negative code means that there was no process, SIGKILL that the system took it back.
    const isRefused = (child.exitCode ?? 0) > 0 || ![null, 'SIGKILL'].includes(child.signalCode);
    child.kill('SIGKILL');
    return isRefused ? 'refused' : null;
  }
  lowerPriority(child.pid);
  return labelChild(child, child.pid, channel, next, exited.signal, confinement.gap);
}

interface Message {
  value: unknown;
  body: Buffer;
}

type NextMessage = (exited: AbortSignal, timeoutMs: number) => Promise<Message | null>;

const BROKEN: Message = { value: { ok: false, reason: 'broken', spent: true }, body: Buffer.alloc(0) };

/**
 * The child's next message; null when it has exited or after `timeoutMs`. What is no message, or comes when nothing was
 * asked, is the work of a file that took over the child: it is replaced.
 */
function messagesFrom(channel: Socket, kill: () => void): NextMessage {
  let settle: ((message: Message | null) => void) | null = null;
  onMessage(
    channel,
    (value, body) => (settle ?? kill)({ value, body }),
    () => (settle ?? kill)(BROKEN),
  );
  return (exited, timeoutMs) =>
    new Promise((resolve) => {
      settle = (message) => {
        clearTimeout(timer);
        settle = null;
        exited.removeEventListener('abort', giveUp);
        resolve(message);
      };
      const giveUp = () => settle?.(null);
      const timer = setTimeout(giveUp, timeoutMs);
      exited.addEventListener('abort', giveUp);
      if (exited.aborted) giveUp();
    });
}

function labelChild(
  child: ChildProcess,
  pid: number,
  channel: Socket,
  next: NextMessage,
  exited: AbortSignal,
  gap: string | null,
): LabelChild {
  return {
    pid,
    exited,
    gap,
    async open(request, deadlineMs) {
      let death: Death | null = null;
      const killBecause = (reason: Death) => {
        death = reason;
        child.kill('SIGKILL');
      };
      const cpuMsBefore = cpuMsOf(pid);
      let isOver = false;
      const watch = setInterval(() => {
        void Promise.all([residentBytes(pid), cpuMsOf(pid), cpuMsBefore]).then(([bytes, cpuMs, before]) => {
          if (death || isOver) return;
          const spentMs = cpuMs !== null && before !== null ? cpuMs - before : null;
          const reason = reasonToKill({ bytes, cpuMs: spentMs }, deadlineMs);
          if (reason) killBecause(reason);
        });
      }, CHECK_MS);
      const nextReply = next(exited, isLinux ? MAX_DELAY_FACTOR * deadlineMs : deadlineMs);
      sendMessage(channel, request.job, request.body);
      const reply = await nextReply;
      clearInterval(watch);
      isOver = true;
      if (reply) return { reply: replyOf(reply) };
      if (!exited.aborted) {
        killBecause(death ?? 'timeout');
        await this.kill();
      }
      return { death: death ?? deathOf(child) };
    },
    kill: () =>
      new Promise((resolve) => {
        if (exited.aborted) return resolve();
        child.ref();
        exited.addEventListener('abort', () => resolve(), { once: true });
        child.kill('SIGKILL');
      }),
  };
}

/** Why a child must be killed that uses this much memory, and this much CPU time for a file; null if there is no reason. */
export function reasonToKill(
  { bytes, cpuMs }: { bytes: number | null; cpuMs: number | null },
  deadlineMs: number,
): 'memory' | 'timeout' | null {
  if (bytes !== null && bytes > MEMORY_LIMIT_BYTES) return 'memory';
  return cpuMs !== null && cpuMs > deadlineMs ? 'timeout' : null;
}

function replyOf({ value, body }: Message): Received {
  const reply = value as Received | null;
  if (typeof reply?.ok !== 'boolean' || (reply.ok && reply.result === undefined)) return replyOf(BROKEN);
  return reply.ok ? { ...reply, body } : reply;
}

function deathOf({ signalCode }: ChildProcess): Death {
  // V8 traps or aborts when it gets no memory; the limit on CPU time has its own signal.
  if (signalCode === 'SIGABRT' || signalCode === 'SIGTRAP' || signalCode === 'SIGILL') return 'memory';
  if (signalCode === 'SIGXCPU') return 'timeout';
  return signalCode === 'SIGKILL' || signalCode === 'SIGTERM' ? 'killed' : 'broken';
}

/** Serving requests is more urgent than reading labels. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 5);
  } catch {
    // Not allowed everywhere, and only an optimization.
  }
}

/** The memory limit of a child process that opens PDFs. */
export const MEMORY_LIMIT_BYTES = 400 * 2 ** 20;

// Resident memory that the kernel doesn't count as data: the code of Node and its libraries.
const PROGRAM_BYTES = 90 * 2 ** 20;

// For children stuck in a hostile file after their parent was killed, which they notice only between files.
// The pool replaces a child long before, see `spent` in channel.ts.
const MAX_CPU_SECONDS = 120;

// When memory runs out, the kernel kills a child and not the service, which starts another one.
const KILLED_FIRST = '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null';

/**
 * The command that starts `node` with limits on memory and CPU time. Only the kernel can enforce them: V8's own limits don't
 * count typed arrays, such as decompressed streams. On other systems than Linux, only the pool watches the memory.
 */
function withLimits([node = '', ...args]: readonly string[]): { command: string; args: string[] } {
  if (!existsSync('/bin/sh')) return { command: node, args };
  // The shell adds PWD to the environment.
  const limits = ['unset PWD', 'ulimit -c 0', `ulimit -t ${MAX_CPU_SECONDS}`];
  if (isLinux)
    limits.push(
      `ulimit -d ${Math.floor((MEMORY_LIMIT_BYTES - PROGRAM_BYTES + codeRangeBytes()) / 1024)}`,
      KILLED_FIRST,
    );
  return { command: '/bin/sh', args: ['-c', `${limits.join('; ')}; exec "$0" "$@"`, node, ...args] };
}

/**
 * V8 reserves half a gigabyte of address space for machine code, which the kernel counts as data although hardly any of it
 * is used. This process runs the same V8, so its own memory map says how much.
 */
function codeRangeBytes(): number {
  let bytes = 0;
  for (const [, from = '', to = ''] of readFileSync('/proc/self/maps', 'utf8').matchAll(
    /^([0-9a-f]+)-([0-9a-f]+) rwxp 0+ 00:00 0\b/gm,
  )) {
    bytes += Number.parseInt(to, 16) - Number.parseInt(from, 16);
  }
  return bytes;
}

/** The CPU time of a process's main thread in milliseconds; null if unknown. */
async function cpuMsOf(pid: number): Promise<number | null> {
  if (!isLinux) return null;
  const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '')).split(' ');
  return nanoseconds ? Number(nanoseconds) / 1e6 : null;
}

/** The resident memory of a process; null if unknown. */
async function residentBytes(pid: number): Promise<number | null> {
  if (isLinux) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
    return kilobytes ? Number(kilobytes) * 1024 : null;
  }
  if (process.platform === 'win32') return null;
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, out) => {
      const kilobytes = Number.parseInt(out, 10);
      resolve(error || !Number.isFinite(kilobytes) ? null : kilobytes * 1024);
    });
  });
}
