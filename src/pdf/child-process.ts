import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CEILING_BYTES, residentBytes, underCeiling } from './ceiling.ts';
import { BODY_FD, sentOf, type ChildKind, type Reply, type Request } from './child-talk.ts';

/** How a child ended in the middle of a file: `killed` by someone else, which says nothing about the file. */
export type Death = 'timeout' | 'memory' | 'broken' | 'killed';

export interface LabelChild {
  readonly pid: number;
  /** Aborted when the process is gone. */
  readonly gone: AbortSignal;
  /** Opens one file; never two at a time. Kills the child when `deadlineMs` have passed. */
  open(request: Request, deadlineMs: number): Promise<{ reply: Reply } | { death: Death }>;
  /** Kills it; there is nothing in it that is not elsewhere. Resolves when it is gone. */
  end(): Promise<void>;
}

const startMs = 20_000;
const watchMs = 100;
const pdfChild = fileURLToPath(new URL(`./child${extname(import.meta.url)}`, import.meta.url));

const flags = [
  // A label's text and picture need neither to write nor to start anything.
  '--permission',
  '--allow-fs-read=*',
  '--no-warnings',
  '--v8-pool-size=1',
  '--max-semi-space-size=16',
];
const flagsFor: Record<ChildKind, string[]> = {
  text: ['--max-old-space-size=160'],
  preview: ['--max-old-space-size=64', '--allow-addons'],
};

/** Starts a child and waits until it is warm; null when it does not get that far, or `stop` says not to wait. */
export async function startChild(
  kind: ChildKind,
  stop: AbortSignal,
  program = pdfChild,
): Promise<LabelChild | null> {
  const { command, args } = underCeiling(process.execPath, [...flags, ...flagsFor[kind], program, kind]);
  const child = spawn(command, args, {
    // The last is BODY_FD.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
    serialization: 'advanced',
    // Nothing of the service's environment: its addresses hold passwords.
    env: { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2', SystemRoot: process.env['SystemRoot'] },
    windowsHide: true,
  });
  const gone = new AbortController();
  child.once('exit', () => gone.abort());
  child.once('error', () => gone.abort());
  child.unref();
  child.channel?.unref();
  const bodies = child.stdio[BODY_FD] as Socket;
  // A child that dies while a body is being written is noticed by its exit.
  bodies.on('error', () => {}).unref();
  const ready = await answer(child, AbortSignal.any([gone.signal, stop]), startMs);
  if (ready !== 'ready' || child.pid === undefined) {
    child.kill('SIGKILL');
    return null;
  }
  lowerPriority(child.pid);
  return labelChild(child, child.pid, bodies, gone.signal);
}

function labelChild(child: ChildProcess, pid: number, bodies: Socket, gone: AbortSignal): LabelChild {
  return {
    pid,
    gone,
    async open(request, deadlineMs) {
      let death: Death | null = null;
      const kill = (why: Death) => {
        death = why;
        child.kill('SIGKILL');
      };
      const watch = setInterval(() => {
        void residentBytes(pid).then((bytes) => {
          if (bytes !== null && bytes > CEILING_BYTES && !death) kill('memory');
        });
      }, watchMs);
      const waiting = answer(child, gone, deadlineMs);
      const { sent, body } = sentOf(request);
      child.send(sent, () => {});
      if (body.length > 0) bodies.write(body);
      const reply = await waiting;
      clearInterval(watch);
      if (reply && reply !== 'ready') return { reply };
      if (!gone.aborted) {
        kill(death ?? 'timeout');
        await this.end();
      }
      return { death: death ?? deathOf(child) };
    },
    end: () =>
      new Promise((resolve) => {
        if (gone.aborted) return resolve();
        child.ref();
        gone.addEventListener('abort', () => resolve(), { once: true });
        child.kill('SIGKILL');
      }),
  };
}

/** The child's next message, null when it is gone or `ms` have passed. */
function answer(child: ChildProcess, gone: AbortSignal, ms: number): Promise<Reply | 'ready' | null> {
  return new Promise((resolve) => {
    const settle = (message: Reply | 'ready' | null) => {
      clearTimeout(timer);
      child.off('message', settle);
      gone.removeEventListener('abort', left);
      resolve(message);
    };
    const left = () => settle(null);
    const timer = setTimeout(left, ms);
    child.on('message', settle);
    gone.addEventListener('abort', left);
    if (gone.aborted) left();
  });
}

function deathOf({ signalCode }: ChildProcess): Death {
  // V8 traps or aborts when its memory is denied; the shell's limit on processor time has its own signal.
  if (signalCode === 'SIGABRT' || signalCode === 'SIGTRAP' || signalCode === 'SIGILL') return 'memory';
  if (signalCode === 'SIGXCPU') return 'timeout';
  return signalCode === 'SIGKILL' || signalCode === 'SIGTERM' ? 'killed' : 'broken';
}

/** Requests that are waiting for an answer come before labels that are being read. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 5);
  } catch {
    // Not everywhere allowed, and nothing depends on it.
  }
}
