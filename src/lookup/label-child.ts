/** A worker process, which judges bodies, extracts text from PDFs and reads labels; `label-workers.ts` starts it. */
import { openText } from '@monroney/label/pdf/text';
import { readText } from '@monroney/label/read-text';
import { linesOf } from '@monroney/label/reading/lines';
import type { ReadContext } from '@monroney/label/reading/reader';
import type { LabelText, Reading } from '@monroney/label/reading/types';
import { sources } from '../makers/index.ts';
import { withWords, type Outcome, type OverrideWords } from '../makers/maker.ts';
import { runChild, textReply, EXTRACT_TEXT } from '../pdf/channel.ts';
import type { PdfWorkers } from '../pdf/pdf-workers.ts';
import { base64Start, createJudge } from './judge.ts';

/** All bytes and texts in it are untrusted. A hostile body may use all the time and memory that a worker gets. */
export type LabelJob =
  | {
      kind: 'judge';
      source: string;
      vin: string;
      /** Null if the VIN doesn't tell. */
      make: string | null;
      status: number;
      retryAfter?: string;
      /** The operator's own patterns for this source, if any. */
      words?: OverrideWords;
      body: Uint8Array;
    }
  | { kind: 'read'; text: LabelText; context: Pick<ReadContext, 'make' | 'vin'> }
  | { kind: 'lines'; text: LabelText };

export interface LabelResults {
  judge: Judged;
  read: Reading;
  /** The lines of each page. */
  lines: string[][];
}

type Label = Extract<Outcome, { kind: 'label' }>;
/** An outcome without its host, and without the PDF, which is the body or, if that was wrapped, the body of the reply. */
type Judged = Exclude<Outcome, Label> | Omit<Label, 'pdf' | 'host'>;

/** The largest reading of a real label is 20 KB. Pages and tools process readings on the main thread. */
const MAX_READING_LENGTH = 128 * 1024;

async function doJob(
  job: LabelJob,
  workers: Pick<PdfWorkers, 'text'>,
): Promise<{ result: LabelResults[LabelJob['kind']]; body?: Uint8Array }> {
  switch (job.kind) {
    case 'judge':
      return judge(job, workers);
    case 'read':
      return { result: read(job.text, job.context) };
    case 'lines': {
      const pages: string[][] = job.text.pages.map(() => []);
      for (const line of linesOf(job.text)) pages[line.page - 1]?.push(line.text);
      return { result: pages };
    }
  }
}

async function judge(
  job: Extract<LabelJob, { kind: 'judge' }>,
  workers: Pick<PdfWorkers, 'text'>,
): Promise<{ result: Judged; body?: Uint8Array }> {
  const described = sources.find(({ id }) => id === job.source);
  if (!described) throw new Error(`no source ${job.source}`);
  const source = withWords(described, job.words);
  const body = Buffer.from(job.body.buffer, job.body.byteOffset, job.body.byteLength);
  const headers = job.retryAfter === undefined ? {} : { 'retry-after': job.retryAfter };
  const outcome = await createJudge(workers)(source, job.vin, {
    status: job.status,
    headers,
    body,
    host: '',
  });
  if (outcome.kind !== 'label') return { result: outcome };
  const { pdf, host: _, ...rest } = outcome;
  const result: Judged = {
    ...rest,
    ...(outcome.text ? { read: { make: job.make, reading: read(outcome.text, contextOf(job)) } } : {}),
  };
  return { result, ...(base64Start(body) === null ? {} : { body: pdf }) };
}

const contextOf = ({ make, vin }: { make: string | null; vin: string }) =>
  make === null ? { vin } : { make, vin };

function read(text: LabelText, context: Pick<ReadContext, 'make' | 'vin'>): Reading {
  const reading = readText(text, context);
  if (JSON.stringify(reading).length <= MAX_READING_LENGTH) return reading;
  return { ...reading, readable: false, reason: 'unknown-layout', paint: null, label: null, proof: null };
}

await runChild(async ({ job, body = new Uint8Array() }) => {
  if (job === EXTRACT_TEXT) return textReply(body);
  let spent = false;
  const text = async (pdf: Uint8Array) => {
    const opened = await openText(pdf);
    spent ||= !opened.ok && opened.spent;
    return opened;
  };
  const done = await doJob({ ...(job as LabelJob), body } as LabelJob, { text });
  return { ok: true, ...done, spent };
});
