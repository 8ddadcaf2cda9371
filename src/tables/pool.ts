import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { loadVpic } from '@monroney/vin';
import type { Chunk } from './input.ts';
import { createJob, type Part, type Plan } from './job.ts';
import { TableError } from './table.ts';

export interface Request {
  id: number;
  chunk: Chunk;
}

export type Response = { id: number } & ({ part: Part } | { message: string; isTableError: boolean });

/** Works on chunks in several threads. */
export interface Pool {
  run(chunk: Chunk): Promise<Part>;
  /** How many chunks it takes at the same time. */
  concurrency: number;
  close(): Promise<void>;
}

/** One to work on and one to take next. */
const CHUNKS_PER_THREAD = 2;
/** Parts are written in order. This thread may work ahead while another is still busy with an earlier one. */
const OUT_OF_ORDER = 1;
/** This thread works alone on the first rows. Another takes a second of a core until it is as fast, so it pays off later, unless it is wanted. */
const ALONE_ROWS = { byDefault: 300_000, wanted: 80_000 };
/** The others start this many rows earlier, so that they have loaded their code when parts that must be written first wait for them. */
const HEAD_START_ROWS = 60_000;
/** Enough for a decoder and two chunks. Without limits a thread takes what there is before it collects garbage. */
const LIMITS = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 };
/** A third of the young generation. A thread begins with it, because it can't grow. */
const SEMI_SPACE_MB = LIMITS.maxYoungGenerationSizeMb / 3;
const PROGRAM = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);

/** This thread is one of the `jobs`, null for as many as there are cores: it also reads and writes. A short table needs no other. */
export async function openPool(
  plan: Plan,
  wanted: number | null,
  aloneRows = ALONE_ROWS[wanted === null ? 'byDefault' : 'wanted'],
): Promise<Pool> {
  const jobs = wanted ?? availableParallelism();
  const job = await createJob(plan, loadVpic());
  // This thread keeps the room for new objects that loading took, instead of three times as much. The flag is for all threads.
  setFlagsFromString('--semi-space-growth-factor=1');
  // A thread that began with the usual megabyte would collect garbage much more often, and keep much of it for longer.
  setFlagsFromString(`--min-semi-space-size=${SEMI_SPACE_MB}`);
  const threads: Thread[] = [];
  return {
    concurrency: jobs === 1 ? 1 : jobs * CHUNKS_PER_THREAD + OUT_OF_ORDER,
    async run(chunk) {
      // One for each chunk: a table that ends soon doesn't start all of many.
      if (chunk.row > aloneRows - HEAD_START_ROWS && threads.length < jobs - 1)
        threads.push(startThread(plan));
      const idlest = chunk.row > aloneRows ? threads.toSorted((a, b) => a.load - b.load)[0] : undefined;
      return idlest && idlest.load < CHUNKS_PER_THREAD ? idlest.run(chunk) : job.run(chunk);
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
