/** What a file that took over a child might try, as a program. Replies with what each attempt led to. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { connect, Socket } from 'node:net';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { CHANNEL_FD, onMessage, sendMessage, READY } from './channel.ts';

export interface Target {
  /** A file with a secret, in a folder like DATA_DIR. */
  secret: string;
  /** A file that doesn't exist yet. */
  written: string;
  /** A port that accepts connections, and the path of such a socket. */
  port: number;
  socket: string;
  /** The process to signal. */
  pid: number;
}

const connectTo = (to: number | string) =>
  new Promise<void>((resolve, reject) => {
    const socket = typeof to === 'number' ? connect(to, '127.0.0.1') : connect(to);
    socket.once('connect', () => resolve(socket.destroy() && undefined)).once('error', reject);
  });

export const attempts: Record<string, (target: Target) => unknown> = {
  'read the environment of the service': ({ pid }) => readFileSync(`/proc/${pid}/environ`),
  'list the processes': () => readdirSync('/proc'),
  'read the data folder': ({ secret }) => readFileSync(secret),
  'read a file of the system': () => readFileSync('/etc/passwd'),
  'write a file': ({ written }) => writeFileSync(written, 'x'),
  'start a program': () => execFileSync('/bin/true'),
  'load native code': () => createRequire(import.meta.url)('sharp'),
  'start a thread': () => new Worker('0', { eval: true }),
  'open a debugger': () => {
    inspector.open(0);
    if (!inspector.url()) throw new Error('it listens nowhere');
  },
  'connect to a port': ({ port }) => connectTo(port),
  'connect to a local socket': ({ socket }) => connectTo(socket),
  'signal the service': ({ pid }) => process.kill(pid, 0),
};

async function runAttempts(target: Target): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = { environment: Object.keys(process.env).sort().join(' ') };
  for (const [name, attempt] of Object.entries(attempts)) {
    outcomes[name] = await Promise.resolve(target)
      .then(attempt)
      .then(
        () => 'succeeded',
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
  }
  return outcomes;
}

/** A child's argument is its kind. */
const [, , argument = ''] = process.argv;
if (import.meta.main && argument.startsWith('{')) {
  process.stdout.write(JSON.stringify(await runAttempts(JSON.parse(argument) as Target)));
} else if (import.meta.main) {
  const channel = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
  const exit = () => process.exit(0);
  channel.on('close', exit);
  onMessage(
    channel,
    (value) =>
      void runAttempts(value as Target).then((result) =>
        sendMessage(channel, { ok: true, result, spent: false }),
      ),
    exit,
  );
  sendMessage(channel, READY);
}
