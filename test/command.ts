import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The command-line program, which tests run as a separate process. */
export const MONRONEY = fileURLToPath(new URL('../bin/monroney.mjs', import.meta.url));

/**
 * The environment of child processes: only `PATH` and the compile cache that `tools/test.ts` created. `NODE_ENV` lets
 * their workers use it too.
 */
export const childEnv = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  NODE_ENV: 'test',
};

export interface CommandResult {
  code: number | null;
  out: string;
  err: string;
  /** Standard output as JSON lines. */
  lines<T = Record<string, never>>(): T[];
}

export function resultOf(code: number | null, out: string, err: string): CommandResult {
  const lines = <T>() =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as T);
  return { code, out, err, lines };
}

export interface RunningCommand {
  child: ChildProcess;
  done: Promise<CommandResult>;
}

export interface CommandOptions {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
  /** The caller reads standard output as bytes. */
  binary?: boolean;
}

export function startMonroney(
  args: string[],
  {
    env = {},
    input = '',
    cwd,
    binary = false,
  }: Omit<CommandOptions, 'input'> & { input?: string | Uint8Array } = {},
): RunningCommand {
  const child = spawn(process.execPath, [MONRONEY, ...args], {
    env: { ...childEnv, ...env },
    ...(cwd ? { cwd } : {}),
  });
  let [out, err] = ['', ''];
  if (!binary) child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const done = new Promise<CommandResult>((resolve) =>
    child.on('close', (code) => resolve(resultOf(code, out, err))),
  );
  return { child, done };
}

export const monroney = (args: string[], options?: CommandOptions): Promise<CommandResult> =>
  startMonroney(args, options).done;
