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
  await once(child.stdout, 'data');
  // Every second process is killed only after it stored a label: on a busy machine it might not get that far.
  if (serial % 200_000 === 0) while (output.split('\n').length < 3) await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, Math.random() * maxMs));
  child.kill('SIGKILL');
  await once(child, 'close');
  const lines = output.slice(0, output.lastIndexOf('\n')).split('\n').slice(1);
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}
