import { nowRunning } from '../lib/stalls.ts';
import type { Outcome } from '../makers/maker.ts';
import { isWrapped, MAX_TEXT_BYTES, pdfIn, pdfCompleteness } from './body-kind.ts';
import { createJudge, type Judge, type SourceResponse } from './judge.ts';
import type { Judged } from './label-jobs.ts';
import type { LabelWorkers } from './label-workers.ts';

/** "No label" in a few words is not worth a trip to another process; every pattern is linear. */
const INLINE_BYTES = 4096;

/**
 * Labels are about 300 KB. Larger files are written only once they are known to be labels: flushing 15 MB to the disk
 * holds up the database, which is written on the main thread.
 */
const PREPARED_BYTES = 2 * 2 ** 20;

const judgeInline = createJudge({ text: async () => ({ ok: false, reason: 'broken' }) });

/** The judge with its work done in a worker. The main thread looks at a body's first and last bytes only. */
export function createWorkerJudge(
  workers: Pick<LabelWorkers, 'run'>,
  makeOf: (vin: string) => string | null,
  /** Begins to write what is most likely a label; answers with how to stop. */
  prepare: (pdf: Buffer) => () => void,
): Judge {
  return async (source, vin, received) => {
    const { body, status } = received;
    nowRunning(`judge ${source.id}`);
    const wrapped = isWrapped(body);
    const pdf = wrapped ? null : pdfIn(body);
    if (!wrapped && !pdf && body.length <= INLINE_BYTES) return judgeInline(source, vin, received);
    const end = pdf ? pdfCompleteness(pdf) : 'whole';
    if (end === 'cut') return { kind: 'failed', why: 'truncated' };
    const stop = pdf && pdf.length <= PREPARED_BYTES ? prepare(pdf) : () => {};
    const sent = pdf ?? (wrapped ? body : body.subarray(0, MAX_TEXT_BYTES));
    const done = await workers.run<'judge'>({
      kind: 'judge',
      source: source.id,
      vin,
      make: makeOf(vin) ?? source.makes[0]!,
      status,
      ...retryAfterOf(received),
      ...(source.words ? { words: source.words } : {}),
      body: sent,
    });
    nowRunning(`judged ${source.id}`);
    if (!done.ok || done.result.kind !== 'label') stop();
    if (done.ok) return outcomeOf(done.result, sent, received.host);
    if (done.reason === 'busy') return { kind: 'failed', why: 'workers-busy' };
    return { kind: 'failed', why: end === 'missingTrailer' ? 'truncated' : 'unreadable' };
  };
}

function retryAfterOf({ headers }: SourceResponse): { retryAfter?: string } {
  const value = headers['retry-after'];
  return typeof value === 'string' ? { retryAfter: value.slice(0, 100) } : {};
}

function outcomeOf(judged: Judged, body: Buffer, host: string): Outcome {
  if (judged.kind !== 'label') return judged;
  const { pdf } = judged;
  if (pdf instanceof Uint8Array) {
    return { ...judged, host, pdf: Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength) };
  }
  const isWhole = pdf.offset === 0 && pdf.length === body.length;
  // The very same object that was prepared, where it is all of the body.
  return { ...judged, host, pdf: isWhole ? body : body.subarray(pdf.offset, pdf.offset + pdf.length) };
}
