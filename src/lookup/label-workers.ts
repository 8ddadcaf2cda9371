import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  openPdfWorkers,
  type PdfWorkers,
  type PdfWorkersOptions,
  type Unreadable,
} from '../pdf/pdf-workers.ts';
import type { LabelJob, LabelResults } from './label-jobs.ts';

/** Child processes with a memory limit and a timeout, in which all untrusted data is parsed. */
export interface LabelWorkers extends Pick<PdfWorkers, 'text' | 'preview' | 'card' | 'close'> {
  /** Never rejects. */
  run<Kind extends LabelJob['kind']>(
    job: Extract<LabelJob, { kind: Kind }>,
  ): Promise<{ ok: true; result: LabelResults[Kind] } | Unreadable>;
}

const program = fileURLToPath(new URL(`./label-child${extname(import.meta.url)}`, import.meta.url));

/** Estimate: a text has at most 20,000 items and 400,000 characters. */
const TEXT_BYTES = 2 ** 20;

export function openLabelWorkers(options: Omit<PdfWorkersOptions, 'program'> = {}): LabelWorkers {
  const workers = openPdfWorkers({ ...options, program });
  return {
    ...workers,
    async run<Kind extends LabelJob['kind']>(job: Extract<LabelJob, { kind: Kind }>) {
      const { body, ...rest } = 'body' in job ? job : { ...job, body: undefined };
      const done = await workers.run({
        job: rest,
        bytes: body?.length ?? TEXT_BYTES,
        ...(body ? { body } : {}),
      });
      return done.ok ? { ok: true, result: done.result as LabelResults[Kind] } : done;
    },
  };
}
