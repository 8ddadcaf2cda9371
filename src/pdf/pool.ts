import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import { createMetrics, type Metrics } from '../lib/metrics.ts';
import { startChild, type LabelChild } from './child-process.ts';
import { bytesOf, type ChildKind, type Reply, type Request, type UnreadableReason } from './child-talk.ts';

export interface PoolOptions {
  kind: ChildKind;
  /** The file of a child's program, where it is not the one that only opens PDFs. */
  program?: string;
  /** Children side by side. */
  children: number;
  /** Started ahead and kept; otherwise started by the first job and ended after a minute without one. */
  warm: boolean;
  deadlineMs: number;
  /** Jobs that may wait for a child, and for how long, before they are told `busy`. */
  waiting: number;
  waitMs: number;
  log: Log;
  metrics?: Metrics;
}

export type Opened = Reply | { ok: false; reason: UnreadableReason };

export interface Pool {
  open(request: Request): Promise<Opened>;
  load(): { workers: number; busy: number; waiting: number };
  /** Process ids of the children that are up. */
  pids(): number[];
  close(): Promise<void>;
}

interface Job {
  request: Request;
  since: number;
  /** Someone killed the child under it: it is given to another once. */
  again: boolean;
  timer: NodeJS.Timeout;
  settle(answer: Opened): void;
}

const idleMs = 60_000;
const longestPauseMs = 2_000;
// Sixty-four labels are 20 MB; a hostile source can make sixty-four bodies a gigabyte.
const maxWaitingBytes = 96 * 2 ** 20;
const busy: Opened = { ok: false, reason: 'busy' };

/** A few child processes that open PDFs, each one file at a time, replaced when they die. */
export function openPool(options: PoolOptions): Pool {
  const { kind, program, deadlineMs, log } = options;
  const closing = new AbortController();
  const queue: Job[] = [];
  const takers: ((job: Job | null) => void)[] = [];
  const children = new Set<LabelChild>();
  let working = 0;
  const { metrics: all = createMetrics() } = options;
  const labels = { pool: kind };
  const metrics = {
    refusals: all.counter('monroney_worker_refusals_total', labels),
    wait: all.histogram('monroney_worker_wait_seconds', labels),
    job: all.histogram('monroney_worker_job_duration_seconds', labels),
  };
  const places = Array.from({ length: options.children }, () => keepChild());

  function refuse(): Promise<Opened> {
    metrics.refusals.value++;
    return Promise.resolve(busy);
  }

  function open(request: Request): Promise<Opened> {
    if (closing.signal.aborted) return Promise.resolve(busy);
    if (queue.length >= options.waiting) return refuse();
    const waitingBytes = queue.reduce((sum, job) => sum + bytesOf(job.request), 0);
    if (queue.length > 0 && waitingBytes + bytesOf(request) > maxWaitingBytes) return refuse();
    return new Promise((settle) => {
      queue.push(waitingJob({ request, since: performance.now(), again: false, settle }));
      hand();
    });
  }

  function waitingJob(job: Omit<Job, 'timer'>): Job {
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(waiting), 1);
      metrics.refusals.value++;
      job.settle(busy);
    }, options.waitMs);
    const waiting = { ...job, timer };
    return waiting;
  }

  function hand(): void {
    while (queue.length > 0 && takers.length > 0) {
      const job = queue.shift()!;
      clearTimeout(job.timer);
      metrics.wait((performance.now() - job.since) / 1000);
      takers.shift()!(job);
    }
  }

  /** The next job; null when `signal` says that nobody is there to do it. */
  function take(signal: AbortSignal): Promise<Job | null> {
    return new Promise((resolve) => {
      const taker = (job: Job | null) => {
        signal.removeEventListener('abort', leave);
        resolve(job);
      };
      const leave = () => {
        takers.splice(takers.indexOf(taker), 1);
        taker(null);
      };
      takers.push(taker);
      signal.addEventListener('abort', leave);
      if (signal.aborted) leave();
      else hand();
    });
  }

  function putBack(job: Job): void {
    queue.unshift(waitingJob(job));
    hand();
  }

  /** One place in the pool: a child, and after it the next, until the pool closes. */
  async function keepChild(): Promise<void> {
    let deaths = 0;
    while (!closing.signal.aborted) {
      let job = options.warm ? null : await take(closing.signal);
      if (!options.warm && !job) return;
      // A child that dies again and again must not take the processor with it.
      if (deaths > 1) await pause(Math.min(longestPauseMs, 50 * 2 ** deaths));
      const child = closing.signal.aborted ? null : await startChild(kind, closing.signal, program);
      if (!child) {
        deaths++;
        if (job) putBack(job);
        if (!closing.signal.aborted) log.error('label child does not start', { kind, tries: deaths });
        continue;
      }
      children.add(child);
      deaths = (await work(child, job)) ? 0 : deaths + 1;
      await child.end();
      children.delete(child);
    }
  }

  /** Gives a child job after job; true when it leaves in good order. */
  async function work(child: LabelChild, first: Job | null): Promise<boolean> {
    const leaving = AbortSignal.any([closing.signal, child.gone]);
    let job = first;
    for (;;) {
      job ??= await take(options.warm ? leaving : AbortSignal.any([leaving, AbortSignal.timeout(idleMs)]));
      if (!job) return !child.gone.aborted;
      const started = performance.now();
      working++;
      const opened = await child.open(job.request, deadlineMs);
      working--;
      metrics.job((performance.now() - started) / 1000);
      if ('reply' in opened) {
        job.settle(opened.reply);
        if (opened.reply.spent) return true;
        job = null;
        continue;
      }
      const { death } = opened;
      if (closing.signal.aborted) job.settle(busy);
      else if (death !== 'killed') job.settle({ ok: false, reason: death });
      else if (job.again) job.settle({ ok: false, reason: 'memory' });
      else putBack({ ...job, again: true });
      all.count('monroney_worker_deaths_total', { ...labels, reason: death });
      log.warn('label child died', { kind, why: death, bytes: bytesOf(job.request) });
      return false;
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: closing.signal, ref: false }).catch(() => {});
  }

  return {
    open,
    load: () => ({ workers: children.size, busy: working, waiting: queue.length }),
    pids: () => [...children].map((child) => child.pid),
    async close() {
      closing.abort();
      for (const job of queue.splice(0)) {
        clearTimeout(job.timer);
        job.settle(busy);
      }
      for (const child of children) void child.end();
      await Promise.all(places);
    },
  };
}
