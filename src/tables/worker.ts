import { parentPort, workerData } from 'node:worker_threads';
import { loadVpic } from '@monroney/vin';
import { createJob, type Plan } from './job.ts';
import type { Request, Response } from './pool.ts';
import { TableError } from './table.ts';

/** A thread that decodes chunks of a table. */
const port = parentPort!;
const job = createJob(workerData as Plan, loadVpic());

port.on('message', ({ id, chunk }: Request) => void run(id, chunk));

async function run(id: number, chunk: Request['chunk']): Promise<void> {
  try {
    const part = await (await job).run(chunk);
    port.postMessage({ id, part } satisfies Response, [part.bytes.buffer]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    port.postMessage({ id, message, isTableError: error instanceof TableError } satisfies Response);
  }
}
