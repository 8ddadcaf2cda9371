import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Unreadable } from '../pdf/channel.ts';
import { openPdfWorkers, type PdfWorkers, type PdfWorkersOptions, type Turn } from '../pdf/pdf-workers.ts';
import { nowRunning } from '../lib/metrics.ts';
import { makeToRead } from '../makers/maker.ts';
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
      ...retryAfterOf(received),
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

function retryAfterOf({ headers }: SourceResponse): { retryAfter?: string } {
  const value = headers['retry-after'];
  return typeof value === 'string' ? { retryAfter: value.slice(0, 100) } : {};
}
