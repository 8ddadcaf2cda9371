import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { loadVpic } from '@monroney/vin';
import type { Chunk } from './tables/chunks.ts';
import { createJob, type Part, type Plan } from './tables/job.ts';
import type { Work } from './tables/run.ts';
import { TableError } from './tables/table.ts';

export interface Request {
  id: number;
  chunk: Chunk;
}

export type Response = { id: number } & ({ part: Part } | { message: string; isTableError: boolean });

/** A thread needs a decoder of its own, which takes longer to load than these take to decode. */
const CHUNKS_WITHOUT_THREADS = 4;
/** One to work on and one to take next. */
const CHUNKS_PER_THREAD = 2;
/** Enough for a decoder and two chunks. Without limits a thread takes what there is before it collects garbage. */
const LIMITS = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 };
const PROGRAM = new URL(`./decode-worker${extname(import.meta.url)}`, import.meta.url);

/** Decodes chunks in threads, by default one per core. The first few are decoded here; short inputs need no threads. */
export function openDecodePool(plan: Plan, wanted: number | null): Work {
  const jobs = wanted ?? availableParallelism();
  const job = createJob(plan, loadVpic());
  const threads: Thread[] = [];
  let count = 0;
  return {
    concurrency: jobs === 1 ? 1 : jobs * CHUNKS_PER_THREAD,
    async run(chunk) {
      if (jobs === 1 || count++ < CHUNKS_WITHOUT_THREADS) return job.run(chunk);
      const least = threads.reduce((best, next) => (next.load < best.load ? next : best), threads[0]!);
      if (least && (least.load === 0 || threads.length === jobs)) return least.run(chunk);
      const thread = startThread(plan);
      threads.push(thread);
      return thread.run(chunk);
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

interface Thread {
  /** How many chunks it has. */
  readonly load: number;
  run(chunk: Chunk): Promise<Part>;
  close(): Promise<unknown>;
}

function startThread(plan: Plan): Thread {
  const worker = new Worker(PROGRAM, { workerData: plan, resourceLimits: LIMITS, execArgv: [] });
  const waiting = new Map<number, PromiseWithResolvers<Part>>();
  let count = 0;
  const fail = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('A decoding thread ended unexpectedly.')));
  worker.on('message', (response: Response) => {
    const { id } = response;
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if ('part' in response) return resolve(response.part);
    const { message, isTableError } = response;
    reject(isTableError ? new TableError(message) : new Error(message));
  });
  return {
    get load() {
      return waiting.size;
    },
    run(chunk) {
      const id = count++;
      const result = Promise.withResolvers<Part>();
      waiting.set(id, result);
      worker.postMessage({ id, chunk } satisfies Request, 'bytes' in chunk ? [chunk.bytes.buffer] : []);
      return result.promise;
    },
    close: () => worker.terminate(),
  };
}
