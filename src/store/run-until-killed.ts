import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { StoreOptions } from './index.ts';

const program = new URL('write-until-killed.ts', import.meta.url).pathname;

/** Lets a keeper run for at most `mostMs` after it has opened its store, kills it, and answers with the labels it had been told are safe. */
export async function runUntilKilled(
  where: Omit<StoreOptions, 'log'>,
  serial: number,
  mostMs = 80,
): Promise<Map<string, string>> {
  const child = spawn(process.execPath, [program, JSON.stringify(where), String(serial)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child.stdout, 'data');
  // Every other one is killed only after it kept something: a busy machine may not get that far otherwise.
  if (serial % 200_000 === 0) while (said.split('\n').length < 3) await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, Math.random() * mostMs));
  child.kill('SIGKILL');
  await once(child, 'close');
  const whole = said.slice(0, said.lastIndexOf('\n')).split('\n').slice(1);
  return new Map(whole.map((line) => line.split(' ') as [string, string]));
}
