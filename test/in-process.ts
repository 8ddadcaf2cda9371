import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { commands } from '../src/cli/monroney.ts';
import { childEnv, resultOf, type CommandResult } from './command.ts';

/**
 * Runs commands of the command-line program in this process. A process of its own takes 0.2 s of CPU time, most of it to
 * load modules. Tests of signals, pipes, the working folder and the start of the program use `command.ts`.
 */

interface Run {
  env: Record<string, string | undefined>;
  input: Readable;
  out: string;
  err: string;
}

const current = new AsyncLocalStorage<Run>();
let isInstalled = false;

/** Redirects the input, the output and the environment of code that runs in a command, and of nothing else: tests print their results. */
function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  for (const [stream, name] of [
    [process.stdout, 'out'],
    [process.stderr, 'err'],
  ] as const) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (chunk: unknown, ...rest: unknown[]): boolean => {
      const run = current.getStore();
      if (!run) return write(chunk, ...rest);
      run[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString();
      const done = rest.findLast((value) => typeof value === 'function') as (() => void) | undefined;
      if (done) process.nextTick(done);
      return true;
    };
  }
  const { get: ownInput } = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    get: () => current.getStore()?.input ?? (ownInput!.call(process) as Readable),
  });
  const own = process.env;
  const environment = () => current.getStore()?.env ?? own;
  process.env = new Proxy(own, {
    get: (_, name) => Reflect.get(environment(), name) as string | undefined,
    has: (_, name) => Reflect.has(environment(), name),
    set: (_, name, value) => Reflect.set(environment(), name, value),
    deleteProperty: (_, name) => Reflect.deleteProperty(environment(), name),
    ownKeys: () => Reflect.ownKeys(environment()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(environment(), name),
  });
}

export async function runInProcess(
  [name = '', ...args]: readonly string[],
  env: Record<string, string | undefined>,
  input = '',
): Promise<CommandResult> {
  install();
  const run: Run = { env, input: Readable.from([Buffer.from(input)]), out: '', err: '' };
  const code = await current.run(run, async () => (await commands[name]!.load()).run(args));
  return resultOf(code, run.out, run.err);
}

/** An `admin` command, as an operator types it. */
export const admin = (env: Record<string, string>, ...args: string[]): Promise<CommandResult> =>
  adminWithInput(env, '', ...args);

export const adminWithInput = (
  env: Record<string, string>,
  input: string,
  ...args: string[]
): Promise<CommandResult> =>
  runInProcess(['admin', ...args], { ...childEnv, HOST: '127.0.0.1', PORT: '0', ...env }, input);
