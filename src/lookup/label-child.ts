/** Entry point of a worker process that judges bodies, extracts text from PDFs and reads labels. */
import { openText, runChild } from '../pdf/child-loop.ts';
import type { Reply, Request } from '../pdf/child-messages.ts';
import { doLabelJob, type LabelJob } from './label-jobs.ts';

await runChild(async (request: Request): Promise<Reply> => {
  if ('pdf' in request) return openText(request);
  const { body = new Uint8Array() } = request;
  let spent = false;
  const text = async (pdf: Uint8Array) => {
    const opened = await openText({ pdf });
    spent ||= opened.spent;
    return opened;
  };
  const done = await doLabelJob({ ...(request.job as LabelJob), body } as LabelJob, { text });
  return { ok: true, ...done, spent };
});
