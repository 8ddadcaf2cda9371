import { setTimeout as wait } from 'node:timers/promises';
import { withTimeout } from '../lib/promises.ts';
import { hostsOf, urlFor, type Outcome, type Source } from '../makers/maker.ts';
import type { HostResult } from '../sources/breaker.ts';
import type { HealthCheck, Net, Refusal } from '../sources/hosts.ts';
import { isOurFailure } from './finding-response.ts';
import type { Judge } from './judge.ts';

/** The outcome of one source, and how long it took. */
export type TimedOutcome = Outcome & { ms: number };

export interface AskOptions {
  /** Milliseconds of the time budget that another source of the same car has used already. */
  spentMs?: number;
  /** Another source of the same car comes next, so this one must leave time for it. */
  othersFollow?: boolean;
  /** Shares the source's queue fairly with other clients. */
  client?: string;
  /** Checked after the wait in the queue: whether the label could still be stored. */
  canStore?(): Promise<boolean>;
  /** It has waited for a slot of the first URL's host already. */
  hasSlot?: boolean;
}

/** Finds a check of one of a source's URLs. Null if we hold no label from this source. */
export type FindHealthCheck = (source: Source, template: string) => Promise<HealthCheck | null>;

interface AskDependencies extends AskOptions {
  net: Net;
  judge: Judge;
  now: () => number;
  /** Looked at right before each request, because the operator may switch the source off while it waits. */
  isAvailable?(source: Source): boolean;
  findHealthCheck?: FindHealthCheck;
  /** This is a health check: one request that reports nothing to the breaker itself. */
  isHealthCheck?: boolean;
  /** Called with how long a request waited in the host's queue. */
  waited?(source: Source, ms: number): void;
  /** Aborts when the service stops; a client that disconnects does not abort it. */
  signal?: AbortSignal;
}

/** Requests one label from one source: tries its URLs in order, within one time budget. */
export async function ask(
  source: Source,
  vin: string,
  dependencies: AskDependencies,
): Promise<TimedOutcome & { host: string }> {
  const started = dependencies.net.now();
  const end = started + dependencies.net.totalMs - (dependencies.spentMs ?? 0);
  const outcomes: (Outcome & { host: string })[] = [];
  for (const template of source.urls) {
    const url = urlFor(template, vin, dependencies.now());
    // A host that refused us gets no second request for this car.
    if (outcomes.some(({ kind, host }) => kind === 'refused' && host === new URL(url).host)) continue;
    const isLast = template === source.urls.at(-1) && !dependencies.othersFollow;
    const hasSlot = dependencies.hasSlot && outcomes.length === 0;
    const outcome = await askUrl(source, vin, { template, url, end, isLast, hasSlot }, dependencies);
    outcomes.push({ host: new URL(url).host, ...outcome });
    if (outcome.kind === 'label' || (outcome.kind === 'none' && source.strategy === 'fail-over')) break;
  }
  return { ...combine(outcomes, source), ms: dependencies.net.now() - started };
}

/** "None" only if every URL that might have the label said so: a refusal or a failure outweighs it. */
function combine<T extends Outcome>(outcomes: readonly T[], source: Source): T {
  const label = outcomes.find(({ kind }) => kind === 'label');
  const none = outcomes.findLast(({ kind }) => kind === 'none');
  if (label) return label;
  if (none && source.strategy === 'fail-over') return none;
  return (
    outcomes.find(({ kind }) => kind === 'refused') ??
    outcomes.find(({ kind }) => kind === 'failed') ??
    none ??
    outcomes[0]!
  );
}

/** Retries at one URL, for failures that are known to go away on a retry. */
const RETRIES: Record<string, number> = { empty: 3, truncated: 2, 'cut-short': 2 };

function retriesFor(outcome: Outcome): number {
  if (outcome.kind === 'label') return outcome.missingTrailer ? 1 : 0;
  return outcome.kind === 'failed' ? (RETRIES[outcome.why] ?? 0) : 0;
}

/** One of the URLs of a source to ask. */
interface Attempt {
  template: string;
  url: string;
  end: number;
  isLast: boolean;
  hasSlot?: boolean;
}

async function askUrl(
  source: Source,
  vin: string,
  { template, url, end, isLast, hasSlot }: Attempt,
  dependencies: AskDependencies,
): Promise<Outcome> {
  const { net, signal, client, isHealthCheck = false } = dependencies;
  const { host } = new URL(url);
  const deadline = end - net.totalMs * CHECKING_SHARE;
  const remainingMs = () => deadline - net.now();
  // Leaves time for the response.
  const queueMs = () => Math.max(0, remainingMs() - source.typicalSeconds * 1000);
  if (remainingMs() <= 0) return { kind: 'failed', why: 'timeout' };
  const findHealthCheck = async () => (await dependencies.findHealthCheck?.(source, template)) ?? null;
  const visit = await net.hosts.enter(host, {
    withinMs: queueMs(),
    client,
    hasSlot,
    findHealthCheck,
    isHealthCheck,
    signal,
  });
  if (!visit.ok) return refusalOutcome(visit);
  dependencies.waited?.(source, visit.waitedMs);
  if (dependencies.canStore && !(await dependencies.canStore())) {
    await visit.end('unknown');
    return { kind: 'failed', why: 'store' };
  }
  let outcome: Outcome = { kind: 'failed', why: 'timeout' };
  for (let retry = 0; remainingMs() > 0; retry++) {
    // The last URL may use all the time that is left.
    const ms = Math.min(isLast ? Infinity : net.attemptMs, remainingMs());
    const attempt = await tryOnce(source, vin, url, { ms, end }, dependencies);
    // A failed retry does not replace a label without its trailer.
    if (attempt.kind === 'label' || outcome.kind !== 'label') outcome = attempt;
    if (isHealthCheck || retry >= retriesFor(outcome) || signal?.aborted) break;
    // With jitter, so that requests that failed together do not retry together.
    const backoffMs = net.backoffMs * 2 ** retry * (0.5 + Math.random());
    if (backoffMs >= remainingMs()) break;
    await wait(backoffMs, undefined, { signal }).catch(() => undefined);
    if (!(await visit.again(queueMs()))) break;
  }
  await visit.end(hostResult(outcome), retryAfterMsOf(outcome));
  return outcome;
}

/** No request was sent: the queue is full, or the breaker is open. */
function refusalOutcome({ why, retryAfterMs }: Refusal): Outcome {
  return why === 'busy'
    ? { kind: 'failed', why: 'busy', retryAfterMs }
    : { kind: why, why: 'paused', retryAfterMs };
}

async function tryOnce(
  source: Source,
  vin: string,
  url: string,
  { ms, end }: { ms: number; end: number },
  { net, judge, signal, isAvailable = () => true }: AskDependencies,
): Promise<Outcome> {
  const mayStart = () => isAvailable(source);
  const { headers } = source;
  const response = await net.fetch({ url, hosts: hostsOf(source), headers, ms, mayStart, signal });
  if (!response.ok) return { kind: 'failed', why: response.reason };
  const { release, ...received } = response;
  const judging = judge(source, vin, { ...received, url }).finally(release);
  // Bounds the wait for a free worker when many labels arrive at once.
  return withTimeout<Outcome>(end - net.now(), judging, { kind: 'failed', why: 'workers-busy' });
}

/** Share of the time budget reserved for checking a label that arrives at the very end. */
const CHECKING_SHARE = 0.075;

/** Failures of a host that is up: it sent another car's label, a PDF that we can't read, or one that we had no time for. */
const HOST_IS_UP = new Set(['wrong-vin', 'several-vehicles', 'no-vin', 'unreadable', 'workers-busy']);

export const retryAfterMsOf = (outcome: Outcome): number | undefined =>
  'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;

export function hostResult(outcome: Outcome): HostResult {
  if (outcome.kind === 'refused') return 'refused';
  if (outcome.kind !== 'failed') return 'responded';
  if (HOST_IS_UP.has(outcome.why)) return 'responded';
  return isOurFailure(outcome) ? 'unknown' : 'failed';
}
