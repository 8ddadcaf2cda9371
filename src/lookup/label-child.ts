/** Entry point of a worker process that judges bodies, extracts text from PDFs and reads labels. */
import { openText } from '@monroney/label/pdf/text';
import { runChild, textReply } from '../pdf/child-loop.ts';
import { EXTRACT_TEXT } from '../pdf/child-messages.ts';
import { doLabelJob, type LabelJob } from './label-jobs.ts';

await runChild(async ({ job, body = new Uint8Array() }) => {
  if (job === EXTRACT_TEXT) return textReply(body);
  let spent = false;
  const text = async (pdf: Uint8Array) => {
    const opened = await openText(pdf);
    spent ||= !opened.ok && opened.spent;
    return opened;
  };
  const done = await doLabelJob({ ...(job as LabelJob), body } as LabelJob, { text });
  return { ok: true, ...done, spent };
});
