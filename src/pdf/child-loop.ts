import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { failureOf, openText } from '@monroney/label/pdf/text';
import { CHANNEL_FD, onMessage, sendMessage } from './channel.ts';
import { EXTRACT_TEXT, READY, type Reply, type Request } from './child-messages.ts';

// After this much work a child is replaced, which also frees leaked memory.
const MAX_JOBS = 1_000;
const MAX_CPU_SECONDS = 60;
const MAX_RESIDENT_KB = 260 * 1024;

// Opened once at startup, so that the first label doesn't wait for loading and compiling.
const WARM_UP_PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 396]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n' +
  '4 0 obj<</Length 38>>stream\nBT /F 12 Tf 20 20 Td (MONRONEY) Tj ET \nendstream endobj\n' +
  '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';
export const WARM_UP_BODY = Buffer.from(WARM_UP_PDF);

/** Handles the pool's requests one at a time, until the channel is closed. */
export async function runChild(
  work: (request: Request) => Promise<Reply>,
  warmUp: Request = { job: EXTRACT_TEXT, body: WARM_UP_BODY },
): Promise<void> {
  // Only the pool stops a child: Ctrl-C in a terminal signals the whole group, but the service must drain first.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  // Libraries leave rejected promises behind when a file is truncated; the job itself is awaited.
  process.on('unhandledRejection', () => {});
  let jobs = 0;
  // A new process begins with the peak of the one that started it.
  const inheritedKb = process.resourceUsage().maxRSS;
  const spent = (): boolean => {
    const { user, system } = process.cpuUsage();
    if (++jobs >= MAX_JOBS || user + system > MAX_CPU_SECONDS * 1e6) return true;
    // The peak: a child can't read /proc, where its current memory is.
    return process.resourceUsage().maxRSS > Math.max(MAX_RESIDENT_KB, inheritedKb);
  };
  const channel = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
  const exit = () => process.exit(0);
  channel.on('close', exit).on('error', exit);
  const handle = async (request: Request): Promise<void> => {
    const { body, ...reply }: Reply & { body?: Uint8Array } = await work(request).catch(failureOf);
    sendMessage(channel, { ...reply, spent: reply.spent || spent() }, body);
  };
  onMessage(channel, (job, body) => void handle({ job, body }), exit);
  await work(warmUp).catch(failureOf);
  sendMessage(channel, READY);
  // Does nothing outside tests, where a compile cache is on. Not at exit, because the pool kills its children.
  flushCompileCache();
}

/** The reply to `EXTRACT_TEXT`. */
export async function textReply(pdf: Uint8Array = new Uint8Array()): Promise<Reply> {
  const opened = await openText(pdf);
  return opened.ok ? { ok: true, result: opened.text, spent: false } : opened;
}
