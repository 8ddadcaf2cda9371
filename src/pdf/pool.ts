import { setTimeout as sleep } from 'node:timers/promises';
import { createFairQueue, turnsOf } from '../lib/fair-queue.ts';
import type { Log } from '../lib/log.ts';
import { createMetrics, type Metrics } from '../lib/metrics.ts';
import type { LabelChild } from './child-process.ts';
import { startChild } from './child-start.ts';
import type { ChildKind, Opened, Request } from './channel.ts';

export interface PoolOptions {
  kind: ChildKind;
  /** The file of a child's program, if it does more than open PDFs. */
  program?: string;
  /** The number of child processes. */
  children: number;
  /** Starts children at once and keeps them. Otherwise the first job starts them, and they end after an idle minute. */
  warm: boolean;
  deadlineMs: number;
  /** A job gets `busy` if it waits longer than `maxWaitMs`, or if the queue is full and nobody has more jobs in it. */
  maxQueued: number;
  maxWaitMs: number;
  log: Log;
  metrics?: Metrics;
  /** Starts a child. Tests pass their own. */
  start?: typeof startChild;
}

interface Job {
  request: Request;
  queuedAt: number;
  /** Another process killed its child, so that it is retried once. */
  isRetry: boolean;
  timer: NodeJS.Timeout;
  settle(result: Opened): void;
}

const IDLE_MS = 60_000;
const MAX_BACKOFF_MS = 2_000;
const READS_PER_TIMEOUT = 4;
// 64 labels are 20 MB, but 64 bodies of a hostile source could be a gigabyte. A source may have half of it.
const MAX_QUEUED_BYTES = 96 * 2 ** 20;
const BUSY: Opened = { ok: false, reason: 'busy' };

/** The memory that a request takes in the service while it is queued. */
const bytesOf = ({ body, bytes = 0 }: Request): number => bytes + (body?.length ?? 0);

/**
 * Child processes that open PDFs, each one file at a time. They are replaced when they die. Sources share their time fairly, so
 * that one whose files take all of it delays the others by one file at most. Clients that wait for files of one source alternate.
 */
export function openPool(options: PoolOptions) {
  const { kind, program, deadlineMs, log, start = startChild } = options;
  const closing = new AbortController();
  const queue = createFairQueue<Job, Request>(({ owner = '', client = '' }) => [owner, ...turnsOf(client)]);
  /** By source. */
  const queuedBytes = new Map<string | undefined, number>();
  const idleWorkers: ((job: Job | null) => void)[] = [];
  const children = new Set<LabelChild>();
  /** A score for each source: a timeout adds `READS_PER_TIMEOUT`, a file that is read subtracts one. */
  const timeouts = new Map<string | undefined, number>();
  let busyChildren = 0;
  let hasWarned = false;
  const { metrics: all = createMetrics() } = options;
  const labels = { pool: kind };
  const metrics = {
    refusals: all.counter('monroney_worker_refusals_total', labels),
    wait: all.histogram('monroney_worker_wait_seconds', labels),
    job: all.histogram('monroney_worker_job_duration_seconds', labels),
  };
  const workers = Array.from({ length: options.children }, () => runWorker());

  function refuse({ settle }: Pick<Job, 'settle'>): void {
    metrics.refusals.value++;
    settle(BUSY);
  }

  function open(request: Request): Promise<Opened> {
    if (closing.signal.aborted) return Promise.resolve(BUSY);
    return new Promise((settle) => {
      const job = { request, queuedAt: performance.now(), isRetry: false, settle };
      if (!hasRoom(request)) return refuse(job);
      enqueue(job);
    });
  }

  /** Makes room if another source or client has more jobs waiting. */
  function hasRoom(request: Request): boolean {
    const own = (queuedBytes.get(request.owner) ?? 0) + bytesOf(request);
    const all = queuedBytes.values().reduce((sum, bytes) => sum + bytes, 0) + bytesOf(request);
    if (queue.size > 0 && (all > MAX_QUEUED_BYTES || own > MAX_QUEUED_BYTES / 2)) return false;
    if (queue.size < options.maxQueued) return true;
    const evicted = queue.evictFor(request);
    if (!evicted) return false;
    left(evicted);
    refuse(evicted);
    return true;
  }

  function enqueue(job: Omit<Job, 'timer'>): void {
    const { request } = job;
    const timer = setTimeout(() => {
      if (!queue.remove(request, queued)) return;
      left(queued);
      refuse(queued);
    }, options.maxWaitMs);
    const queued = { ...job, timer };
    queue.add(request, queued);
    queuedBytes.set(request.owner, (queuedBytes.get(request.owner) ?? 0) + bytesOf(request));
    dispatch();
  }

  /** Must follow when a job was taken out of the queue. */
  function left({ request, timer }: Job): void {
    clearTimeout(timer);
    queuedBytes.set(request.owner, queuedBytes.get(request.owner)! - bytesOf(request));
  }

  function dispatch(): void {
    while (queue.size > 0 && idleWorkers.length > 0) {
      const job = queue.next()!;
      left(job);
      metrics.wait((performance.now() - job.queuedAt) / 1000);
      idleWorkers.shift()!(job);
    }
  }

  /** The next job; null when `signal` is aborted. */
  function nextJob(signal: AbortSignal): Promise<Job | null> {
    return new Promise((resolve) => {
      const onJob = (job: Job | null) => {
        signal.removeEventListener('abort', cancel);
        resolve(job);
      };
      const cancel = () => {
        idleWorkers.splice(idleWorkers.indexOf(onJob), 1);
        onJob(null);
      };
      idleWorkers.push(onJob);
      signal.addEventListener('abort', cancel);
      if (signal.aborted) cancel();
      else dispatch();
    });
  }

  /**
   * A source whose files time out gets less time, down to a quarter. It has to send several good files for each slow one, or
   * it could delay the others by the full time with every second file.
   */
  function deadlineOf(owner: string | undefined): number {
    if (owner === undefined) return deadlineMs;
    return deadlineMs / 2 ** Math.min(Math.ceil((timeouts.get(owner) ?? 0) / READS_PER_TIMEOUT), 2);
  }

  function countTimeouts(owner: string | undefined, opened: Awaited<ReturnType<LabelChild['open']>>): void {
    const before = timeouts.get(owner) ?? 0;
    if ('death' in opened && opened.death === 'timeout')
      timeouts.set(owner, Math.min(before + READS_PER_TIMEOUT, 3 * READS_PER_TIMEOUT));
    else if ('reply' in opened && before > 0) timeouts.set(owner, before - 1);
  }

  function requeue(job: Job): void {
    // No worker will take it, and its timer would keep the process alive.
    if (closing.signal.aborted) return job.settle(BUSY);
    if (performance.now() - job.queuedAt > options.maxWaitMs) return refuse(job);
    enqueue(job);
  }

  /** Runs one child after another until the pool closes. */
  async function runWorker(): Promise<void> {
    let deaths = 0;
    while (!closing.signal.aborted) {
      let job = options.warm ? null : await nextJob(closing.signal);
      if (!options.warm && !job) return;
      // Backs off if children keep dying, so that restarting them doesn't use up the CPU.
      if (deaths > 1) await pause(Math.min(MAX_BACKOFF_MS, 50 * 2 ** deaths));
      let error: string | undefined;
      // Throws without free file descriptors or memory. There may be some later.
      const child = closing.signal.aborted
        ? null
        : await start(kind, closing.signal, program).catch((reason: unknown) => {
            error = String(reason);
            return null;
          });
      if (!child) {
        deaths++;
        if (job) requeue(job);
        if (!closing.signal.aborted) log.error('label child did not start', { kind, tries: deaths, error });
        continue;
      }
      children.add(child);
      if (child.gap && !hasWarned) {
        hasWarned = true;
        log.warn(`the kernel doesn't keep PDF workers from ${child.gap}; see docs/security.md`);
      }
      deaths = (await runJobs(child, job)) ? 0 : deaths + 1;
      await child.kill();
      children.delete(child);
    }
  }

  /** Runs jobs in a child. False if the child died and the next one should start after a pause. */
  async function runJobs(child: LabelChild, first: Job | null): Promise<boolean> {
    const stopping = AbortSignal.any([closing.signal, child.exited]);
    let job = first;
    for (;;) {
      job ??= await nextJob(
        options.warm ? stopping : AbortSignal.any([stopping, AbortSignal.timeout(IDLE_MS)]),
      );
      if (!job) return !child.exited.aborted;
      const started = performance.now();
      busyChildren++;
      const { owner } = job.request;
      const deadline = deadlineOf(owner);
      const opened = await child.open(job.request, deadline);
      busyChildren--;
      const ms = performance.now() - started;
      metrics.job(ms / 1000);
      queue.charge(job.request, ms);
      countTimeouts(owner, opened);
      if ('reply' in opened) {
        const { spent, ...reply } = opened.reply;
        job.settle(reply);
        if (spent) return true;
        job = null;
        continue;
      }
      const { death } = opened;
      if (closing.signal.aborted) job.settle(BUSY);
      else if (death !== 'killed') job.settle({ ok: false, reason: death });
      else if (job.isRetry) job.settle({ ok: false, reason: 'memory' });
      else requeue({ ...job, isRetry: true });
      all.count('monroney_worker_deaths_total', { ...labels, reason: death });
      log.warn('label child died', { kind, why: death, bytes: bytesOf(job.request), deadlineMs: deadline });
      // No pause after a timeout, which took long enough: others are waiting for the next child.
      return death === 'timeout';
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: closing.signal, ref: false }).catch(() => {});
  }

  return {
    open,
    load: () => ({ workers: children.size, busy: busyChildren, waiting: queue.size }),
    async close() {
      closing.abort();
      for (let job = queue.next(); job; job = queue.next()) {
        clearTimeout(job.timer);
        job.settle(BUSY);
      }
      for (const child of children) void child.kill();
      await Promise.all(workers);
    },
  };
}
