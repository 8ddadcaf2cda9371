import { setTimeout as wait } from 'node:timers/promises';
import type { Judge } from './judge.ts';
import { addressOf, hostsOf, type Outcome, type Source } from '../makers/maker.ts';
import type { HostResult } from '../net/breaker.ts';
import type { Net } from '../net/net.ts';

/** What one source came to, how long it took, and which of its hosts said so. */
export type Asked = Outcome & { ms: number; host: string };

/** What belongs to one asking. */
export interface AskOptions {
  /** Milliseconds of the budget that another source of the same car has had already. */
  spentMs?: number;
  /** Who wants it: everybody has a share of the source's queue. */
  client?: string;
  /** The source is known to have had this label, so that trouble is the source's and not the VIN's. */
  known?: boolean;
}

export interface AskParts extends AskOptions {
  net: Net;
  judge: Judge;
  now: () => number;
  /** Hears how long a request waited for its turn. */
  waited?(source: Source, ms: number): void;
  /** Ends the asking when the service stops; an asker who leaves does not end it. */
  signal?: AbortSignal;
}

/** Asks one source for one label: its addresses in turn, within one budget. */
export async function ask(source: Source, vin: string, parts: AskParts): Promise<Asked> {
  const started = performance.now();
  const end = started + parts.net.totalMs - (parts.spentMs ?? 0);
  const said: (Outcome & { host: string })[] = [];
  for (const template of source.addresses) {
    const url = addressOf(template, vin, parts.now());
    const outcome = await askAddress(source, vin, url, end, parts);
    said.push({ host: new URL(url).host, ...outcome });
    if (outcome.kind === 'label' || (outcome.kind === 'none' && source.turn === 'fail-over')) break;
  }
  return { ...settle(said, source), ms: performance.now() - started };
}

/** "None" only where nobody who might have the label stayed silent: a refusal or a failure outweighs it. */
function settle<T extends Outcome>(said: readonly T[], source: Source): T {
  const label = said.find(({ kind }) => kind === 'label');
  const none = said.findLast(({ kind }) => kind === 'none');
  if (label) return label;
  if (none && source.turn === 'fail-over') return none;
  return (
    said.find(({ kind }) => kind === 'refused') ??
    said.find(({ kind }) => kind === 'failed') ??
    none ??
    said[0]!
  );
}

/** Retries worth making at one address: these answers are known to come right when asked again. */
const RETRIES: Record<string, number> = { empty: 3, truncated: 2, 'cut-short': 2 };

function retriesFor(outcome: Outcome): number {
  if (outcome.kind === 'label') return outcome.missingTrailer ? 1 : 0;
  return outcome.kind === 'failed' ? (RETRIES[outcome.why] ?? 0) : 0;
}

async function askAddress(
  source: Source,
  vin: string,
  url: string,
  end: number,
  parts: AskParts,
): Promise<Outcome> {
  const { net, signal, client } = parts;
  const witness = parts.known ? undefined : client;
  const { host } = new URL(url);
  const deadline = end - net.totalMs * CHECKING;
  const left = () => deadline - performance.now();
  let admitted = false;
  let outcome: Outcome = { kind: 'failed', why: 'timeout' };
  for (let retry = 0; left() > 0; retry++) {
    const resting = admitted ? null : await net.breaker.resting(host, witness);
    if (resting) return { kind: resting.after, why: 'resting', retryAfterMs: resting.ms };
    // A turn that leaves no time for an answer is of no use to us, but somebody else may use it.
    const slot = await net.queues.wait(
      host,
      Math.max(0, left() - source.usualSeconds * 1000),
      client,
      signal,
    );
    if (slot.granted) parts.waited?.(source, slot.waitMs);
    if (!slot.granted) {
      if (!admitted) return { kind: 'failed', why: 'busy', retryAfterMs: slot.waitMs };
      break;
    }
    // Others may have been turned away while we waited for our turn.
    const rest = admitted ? null : await net.breaker.admit(host, witness);
    if (rest) return { kind: rest.after, why: 'resting', retryAfterMs: rest.ms };
    admitted = true;
    const answer = await tryOnce(source, vin, url, { deadline, end }, parts);
    // A missingTrailer label in hand is better than a failure to get a better one.
    if (answer.kind === 'label' || outcome.kind !== 'label') outcome = answer;
    if (retry >= retriesFor(outcome) || signal?.aborted) break;
    // Jitter, so that those who failed together do not come back together.
    const pause = net.backoffMs * 2 ** retry * (0.5 + Math.random());
    if (pause >= left()) break;
    await wait(pause, undefined, { signal }).catch(() => undefined);
  }
  if (admitted) {
    const retryAfterMs =
      outcome.kind === 'refused' || outcome.kind === 'failed' ? outcome.retryAfterMs : undefined;
    await net.breaker.report(host, heard(outcome), retryAfterMs, witness);
  }
  return outcome;
}

async function tryOnce(
  source: Source,
  vin: string,
  url: string,
  { deadline, end }: { deadline: number; end: number },
  { net, judge, signal }: AskParts,
): Promise<Outcome> {
  const ms = Math.min(net.attemptMs, deadline - performance.now());
  const answer = await net.fetch({ url, hosts: hostsOf(source), headers: source.headers, ms, signal });
  if (!answer.ok) return { kind: 'failed', why: answer.reason };
  const { release, ...received } = answer;
  return within(end - performance.now(), judge(source, vin, { ...received, url }).finally(release));
}

/** The part of the budget that is kept for checking a label that came at the very end. */
const CHECKING = 0.075;

/** Many labels at once wait for somebody to open them, and whoever asked does not wait for that without end. */
async function within(ms: number, judging: Promise<Outcome>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'failed', why: 'workers-busy' }), Math.max(0, ms));
  });
  try {
    return await Promise.race([judging, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether nothing was heard because of us: a full queue, or no connection to the internet. */
export function isOurs(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && (outcome.why === 'busy' || outcome.why === 'no-network');
}

/** A host that sends another car's label, or a PDF nobody can read, is well: only its answer is not. */
const HOST_IS_WELL = new Set(['wrong-vin', 'several-vehicles', 'no-vin', 'unreadable', 'workers-busy']);

function heard(outcome: Outcome): HostResult {
  if (outcome.kind === 'refused') return 'refused';
  if (outcome.kind !== 'failed') return 'answered';
  if (outcome.why === 'cancelled' || isOurs(outcome)) return 'unknown';
  return HOST_IS_WELL.has(outcome.why) ? 'answered' : 'failed';
}
