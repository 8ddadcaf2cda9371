import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { checkDigit } from '@monroney/vin';
import { silentLog } from '../src/lib/log.ts';
import { temporaryFolder } from '../src/lib/testing.ts';
import { sources } from '../src/makers/index.ts';
import { openStore } from '../src/store/index.ts';
import { startMonroney, type CommandResult } from './command.ts';

/** Runs the real command in a separate process, as an operator would. */

export interface RunningCommand {
  child: ChildProcess;
  ended: Promise<CommandResult>;
}

export function startCommand(t: TestContext, args: string[], env: Record<string, string>): RunningCommand {
  const { child, done } = startMonroney(args, { env: { HOST: '127.0.0.1', PORT: '0', ...env } });
  t.after(() => child.kill('SIGKILL'));
  return { child, ended: done };
}

export const admin = (
  t: TestContext,
  env: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> => startCommand(t, ['admin', ...args], env).ended;

export { temporaryFolder };

export const filesUnder = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Opens the store in a folder without locking out other processes. */
export const storeIn = (dataDir: string) =>
  openStore({ dataDir, databaseUrl: null, redisUrl: null, s3Url: null, log: silentLog, exclusive: false });

/** A folder with an empty store, as a service leaves it. */
export async function folderWithStore(t: TestContext): Promise<string> {
  const dataDir = temporaryFolder(t);
  const store = await openStore({ dataDir, log: silentLog });
  await store.close();
  return dataDir;
}

const DAY_MS = 86_400_000;

/** For rows that a command or service compares with its own clock. A test that runs at midnight must not notice. */
export const dayAgo = (days: number): string =>
  // oxlint-disable-next-line tests/no-clock -- Processes that a test starts have the real clock.
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Polls another process until the condition is true. Without a bound: how long it takes depends on the machine. */
export async function eventually<T>(read: () => Promise<T>, condition: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (condition(value)) return value;
    // oxlint-disable-next-line tests/no-clock -- What happens in another process is no event here.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The VIN of a source's example model with this serial number, of five digits. */
export function vinOf(sourceId: string, serialNumber: number): string {
  const { example } = sources.find((source) => source.id === sourceId)!;
  const vin = example.slice(0, -5) + String(serialNumber);
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

let lastSerial = 10_000;
/** A VIN of a source's example model that was not requested before. */
export const newVin = (sourceId: string): string => vinOf(sourceId, ++lastSerial);
