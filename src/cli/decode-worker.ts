import { parentPort, workerData } from 'node:worker_threads';
import { loadVpic } from '@monroney/vin';
import type { Request, Response } from './decode-pool.ts';
import { createJob, type Plan } from './tables/job.ts';
import { TableError } from './tables/table.ts';

/** A thread that decodes chunks of a table. */
const job = createJob(workerData as Plan, loadVpic());
const port = parentPort!;

port.on('message', ({ id, chunk }: Request) => {
  job.run(chunk).then(
    (part) => port.postMessage({ id, part } satisfies Response, [part.bytes.buffer]),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      port.postMessage({ id, message, isTableError: error instanceof TableError } satisfies Response);
    },
  );
});
