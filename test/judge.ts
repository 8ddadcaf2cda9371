import { plainLabel } from '../tools/simulator/reply.ts';
import { sources } from '../src/makers/index.ts';
import type { Outcome, Source } from '../src/makers/maker.ts';
import type { PdfWorkers } from '../src/pdf/pdf-workers.ts';
import { createJudge } from '../src/lookup/judge.ts';
import { extractText } from '@monroney/label/pdf/text';

/** Judges bodies as if a source had sent them. */

export const workers: Pick<PdfWorkers, 'text'> = {
  async text(pdf) {
    try {
      return { ok: true, text: await extractText(pdf) };
    } catch {
      return { ok: false, reason: 'broken' };
    }
  },
};
export const judge = createJudge(workers);

export function named(id: string): Source {
  return sources.find((source) => source.id === id)!;
}

export interface Sent {
  status?: number;
  headers?: Record<string, string>;
  vin?: string;
}

/** The outcome of a body in one line: `none placeholder`, `failed wrong-vin`, `label`. */
export function judged(id: string, body: Buffer | string, sent: Sent = {}): Promise<Outcome> {
  const source = named(id);
  return judge(source, sent.vin ?? source.example, {
    status: sent.status ?? 200,
    headers: sent.headers ?? {},
    body: Buffer.from(body),
    host: 'host.example',
  });
}

export async function outcomeOf(id: string, body: Buffer | string, sent: Sent = {}): Promise<string> {
  const outcome = await judged(id, body, sent);
  return outcome.kind === 'label' ? 'label' : `${outcome.kind} ${outcome.why}`;
}

export const fordVin = named('ford').example;
export const label = plainLabel(['MONRONEY LABEL', `VIN ${fordVin}`]);
