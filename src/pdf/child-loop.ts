import { Socket } from 'node:net';
import type { LabelText } from '../reading/types.ts';
import {
  BODY_FD,
  receivedOf,
  type OpenFile,
  type Reply,
  type Request,
  type Sent,
  type UnreadableReason,
} from './child-talk.ts';

// A child that has worked this much is replaced: what files leave behind in memory goes with it.
const spentAfterJobs = 1_000;
const spentAfterCpuSeconds = 60;
const spentAboveBytes = 260 * 2 ** 20;

// Opened once at the start, so that the first label does not pay for loading and compiling.
const sheet =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 396]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n' +
  '4 0 obj<</Length 38>>stream\nBT /F 12 Tf 20 20 Td (MONRONEY) Tj ET \nendstream endobj\n' +
  '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';

/** Answers the pool's requests one at a time, until the pool is gone. */
export async function runChild(work: (request: Request) => Promise<Reply>): Promise<void> {
  // Only the pool ends a child: a terminal's Ctrl-C goes to the whole group, and the service drains first.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('disconnect', () => process.exit(0));
  // Libraries leave promises behind when a file breaks off; the job itself is awaited.
  process.on('unhandledRejection', () => {});
  let jobs = 0;
  const spent = (): boolean => {
    const { user, system } = process.cpuUsage();
    if (++jobs >= spentAfterJobs || user + system > spentAfterCpuSeconds * 1e6) return true;
    return process.memoryUsage.rss() > spentAboveBytes;
  };
  const receive = openBodies();
  process.on('message', (sent: Sent) => {
    void receive(sent.length)
      .then((body) => work(receivedOf(sent, body)))
      .catch(failure)
      .then((reply) => process.send?.({ ...reply, spent: reply.spent || spent() }));
  });
  await work({ pdf: Buffer.from(sheet), width: 320 }).catch(failure);
  process.send?.('ready');
}

/** Reads the bodies of requests, one at a time. */
function openBodies(): (length: number) => Promise<Buffer> {
  const pipe = new Socket({ fd: BODY_FD, readable: true, writable: false }).pause();
  return async (length) => {
    const body = Buffer.allocUnsafeSlow(length);
    if (length === 0) return body;
    await new Promise<void>((resolve) => {
      let at = 0;
      const take = (chunk: Buffer) => {
        at += chunk.copy(body, at);
        if (at < length) return;
        pipe.off('data', take).pause();
        resolve();
      };
      pipe.on('data', take).resume();
    });
    return body;
  };
}

/** Takes the text out of one file. Never rejects. */
export async function openText({
  pdf,
}: Pick<OpenFile, 'pdf'>): Promise<{ ok: true; text: LabelText; spent: boolean } | Failure> {
  const { extractText } = await import('./text.ts');
  try {
    const text = await extractText(pdf);
    const printed = text.pages.some((page) => page.items.some((item) => item.text.trim() !== ''));
    return printed ? { ok: true, text, spent: false } : { ok: false, reason: 'no-text', spent: false };
  } catch (error) {
    return failure(error);
  }
}

interface Failure {
  ok: false;
  reason: UnreadableReason;
  spent: boolean;
}

function failure(error: unknown): Failure {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'PasswordException' || /password|security scheme/i.test(message)) {
    return { ok: false, reason: 'encrypted', spent: false };
  }
  const memory = /alloc|out of memory|array (buffer )?length|invalid string length|OOM/i.test(message);
  // After either, what is left of the program in memory is not to be trusted.
  const shaken = memory || error instanceof WebAssembly.RuntimeError;
  return { ok: false, reason: memory ? 'memory' : 'broken', spent: shaken };
}
