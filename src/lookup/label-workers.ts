import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Unreadable } from '../pdf/channel.ts';
import { openPdfWorkers, type PdfWorkers, type PdfWorkersOptions, type Turn } from '../pdf/pdf-workers.ts';
import { NO_READER, readerVersionOf } from '@monroney/label/read-text';
import type { Reading } from '@monroney/label/reading/types';
import { nowRunning, type Metrics } from '../lib/metrics.ts';
import { labelKind, makeOnLabel, makeToRead, type Outcome, type Source } from '../makers/maker.ts';
import type { LabelJob, LabelResults } from './label-child.ts';
import {
  base64Start,
  judgedPart,
  pdfIn,
  pdfCompleteness,
  createJudge,
  type Judge,
  type SourceResponse,
} from './judge.ts';
import type { Quarantine } from './quarantine.ts';

/** Child processes with a memory limit and a timeout, in which all untrusted data is parsed. */
export interface LabelWorkers extends Pick<PdfWorkers, 'text' | 'preview' | 'card' | 'close'> {
  /** Never rejects. */
  run<Kind extends LabelJob['kind']>(
    job: Extract<LabelJob, { kind: Kind }>,
    turn?: Turn,
  ): Promise<{ ok: true; result: LabelResults[Kind]; body: Buffer } | Unreadable>;
}

const program = fileURLToPath(new URL(`./label-child${extname(import.meta.url)}`, import.meta.url));

/** Estimate: a text has at most 20,000 items and 400,000 characters. */
const TEXT_BYTES = 2 ** 20;

export function openLabelWorkers(options: Omit<PdfWorkersOptions, 'program'> = {}): LabelWorkers {
  const workers = openPdfWorkers({ ...options, program });
  return {
    ...workers,
    async run<Kind extends LabelJob['kind']>(job: Extract<LabelJob, { kind: Kind }>, turn?: Turn) {
      const { body, ...rest } = 'body' in job ? job : { ...job, body: undefined };
      const done = await workers.run({
        ...('source' in job ? { owner: job.source } : turn),
        job: rest,
        ...(body ? { body } : { bytes: TEXT_BYTES }),
      });
      return done.ok ? { ...done, result: done.result as LabelResults[Kind] } : done;
    },
  };
}

/** A short "no label" text is judged in this process; every pattern takes linear time. */
const INLINE_BYTES = 4096;

const judgeInline = createJudge({ text: async () => ({ ok: false, reason: 'broken' }) });

/** A judge that works in a worker. The main thread looks only at the first and last bytes of a body. */
export function createWorkerJudge(
  workers: Pick<LabelWorkers, 'run'>,
  makeOf: (vin: string) => string | null,
): Judge {
  return async (source, vin, received) => {
    const { body, status } = received;
    nowRunning(`judge ${source.id}`);
    const wrapped = base64Start(body) !== null;
    const pdf = wrapped ? null : pdfIn(body);
    if (!wrapped && !pdf && body.length <= INLINE_BYTES) return judgeInline(source, vin, received);
    const completeness = pdf ? pdfCompleteness(pdf) : 'complete';
    if (completeness === 'truncated') return { kind: 'failed', why: 'truncated' };
    const sent = pdf ?? (wrapped ? body : judgedPart(body));
    const done = await workers.run<'judge'>({
      kind: 'judge',
      source: source.id,
      vin,
      make: makeToRead(source, makeOf(vin)),
      status,
      ...retryAfterHeaderOf(received),
      ...(source.words ? { words: source.words } : {}),
      body: sent,
    });
    nowRunning(`judged ${source.id}`);
    if (done.ok) {
      const { result } = done;
      return result.kind === 'label'
        ? { ...result, host: received.host, pdf: wrapped ? done.body : sent }
        : result;
    }
    if (done.reason === 'busy') return { kind: 'failed', why: 'workers-busy' };
    return { kind: 'failed', why: completeness === 'missing-trailer' ? 'truncated' : 'unreadable' };
  };
}

function retryAfterHeaderOf({ headers }: SourceResponse): { retryAfter?: string } {
  const value = headers['retry-after'];
  return typeof value === 'string' ? { retryAfter: value.slice(0, 100) } : {};
}

export const readerOf = (make: string): string => readerVersionOf(make) ?? NO_READER;

/** Counts it, because prices that do not add up are a bug in our reader, and names the reader that could do no better. */
export function finishedReading(make: string, reading: Reading, metrics?: Pick<Metrics, 'count'>): Reading {
  const { readable, reason, proof } = reading;
  const unread = reason === 'picture' ? 'picture' : 'unreadable';
  const outcome = !readable ? unread : proof?.closes ? 'adds-up' : 'does-not-add-up';
  metrics?.count('monroney_readings_total', { make, outcome });
  return reading.reader === NO_READER ? { ...reading, reader: readerOf(make) } : reading;
}

/** The reading of a label that was just fetched; null when it has no text or no worker is free. Never rejects. */
export async function readingOfFetched(
  { vin, make: decoded }: { vin: string; make: string | null },
  source: Source,
  { text, read }: Pick<Extract<Outcome, { kind: 'label' }>, 'text' | 'read'>,
  { workers, metrics }: { workers: Pick<LabelWorkers, 'run'>; metrics: Pick<Metrics, 'count'> },
): Promise<Reading | null> {
  if (!text) return null;
  const make = makeToRead(source, decoded);
  const context = make === null ? { vin } : { make, vin };
  // The judge has read it already, unless NHTSA's live decoder knows another make.
  const done =
    read?.make === make
      ? { ok: true as const, result: read.reading }
      : await workers.run<'read'>({ kind: 'read', text, context });
  return done.ok ? finishedReading(make ?? makeOnLabel(source, done.result), done.result, metrics) : null;
}

/** Failures that no rule of a source explains, with the names that the operator sees. */
const UNEXPLAINED: Readonly<Record<string, string>> = {
  page: 'unknown-page',
  unexpected: 'unknown-text',
  'bad-status': 'unknown-status',
  'not-found': 'unknown-status',
  unreadable: 'unreadable-pdf',
  'no-vin': 'pdf-without-vin',
};

/** Why our reader cannot explain a label; null when it can, or when the label is a picture or has no reader. */
export function unexplainedReading(
  source: Pick<Source, 'makes' | 'picture'>,
  { read }: Pick<Extract<Outcome, { kind: 'label' }>, 'read'>,
): { code: 'label-not-read' | 'label-does-not-add-up'; description: string } | null {
  if (labelKind(source) !== 'text' || !read) return null;
  const { readable, reason, proof } = read.reading;
  if (!readable)
    return {
      code: 'label-not-read',
      description: `a label that our reader cannot read (${reason ?? 'unknown'})`,
    };
  if (proof?.closes === false)
    return { code: 'label-does-not-add-up', description: "a label whose prices don't add up" };
  return null;
}

/** Why a response belongs in quarantine; null when a rule explains it. */
export function quarantineReason(source: Source, outcome: Outcome): string | null {
  if (outcome.kind === 'failed') return UNEXPLAINED[outcome.why] ?? null;
  return outcome.kind === 'label' ? (unexplainedReading(source, outcome)?.code ?? null) : null;
}

/** A judge that puts unexplained responses in quarantine. An unreadable label is still stored and served. */
export function withQuarantine(judge: Judge, quarantine: Pick<Quarantine, 'add'>): Judge {
  return async (source, vin, received) => {
    const outcome = await judge(source, vin, received);
    const reason = quarantineReason(source, outcome);
    if (reason) quarantine.add({ source: source.id, vin, reason, received });
    return outcome;
  };
}
