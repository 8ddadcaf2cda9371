/** A process that stores labels until it is killed, for tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { silentLog } from '../lib/log.ts';
import { openStore } from './index.ts';
import type { StoreOptions } from './store.ts';
import { newLabel, pdfOf } from './testing.ts';

/**
 * Starts the process and kills it up to `maxMs` after it opened its store. Returns the VIN and SHA-256 of each
 * acknowledged label.
 */
export async function runUntilKilled(
  options: Omit<StoreOptions, 'log'>,
  serial: number,
  maxMs = 80,
): Promise<Map<string, string>> {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(options), String(serial)], {
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

async function writeLabels(options: Omit<StoreOptions, 'log'>, firstSerial: number): Promise<void> {
  const store = await openStore({ ...options, log: silentLog });
  process.stdout.write('open\n');
  const writeLane = async (lane: number) => {
    for (let serial = firstSerial; ; serial++) {
      const vin = `1FTFW1E8${lane}${String(serial).padStart(8, '0')}`;
      const label = await store.addLabel(newLabel(vin), pdfOf(vin, 50_000 + ((serial * 7919) % 200_000)));
      await store.addMiss({ vin, source: 'ford', kind: 'failed', why: 'timeout', at: 0, until: 0 });
      await store.cachePreview(label, 640, Buffer.alloc(9000, 1));
      process.stdout.write(`${vin} ${label.sha256}\n`);
    }
  };
  await Promise.all([1, 2, 3].map(writeLane));
}

if (import.meta.main)
  await writeLabels(JSON.parse(process.argv[2]!) as Omit<StoreOptions, 'log'>, Number(process.argv[3]));
