import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { StoreOptions } from './index.ts';

const program = new URL('write-until-killed.ts', import.meta.url).pathname;

/**
 * Starts a process that stores labels and kills it up to `maxMs` after it opened its store. Returns the VIN and SHA-256 of
 * each acknowledged label.
 */
export async function runUntilKilled(
  options: Omit<StoreOptions, 'log'>,
  serial: number,
  maxMs = 80,
): Promise<Map<string, string>> {
  const child = spawn(process.execPath, [program, JSON.stringify(options), String(serial)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const closing = once(child, 'close');
  const lines = async (count: number) => {
    while (output.split('\n').length <= count && child.exitCode === null)
      await Promise.race([once(child.stdout, 'data'), closing]);
  };
  await lines(1);
  // Every second process is killed only after it stored a label: on a busy machine it might not get that far.
  if (serial % 200_000 === 0) await lines(2);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * maxMs));
  child.kill('SIGKILL');
  await closing;
  const stored = output.slice(0, output.lastIndexOf('\n')).split('\n').slice(1);
  return new Map(stored.map((line) => line.split(' ') as [string, string]));
}
