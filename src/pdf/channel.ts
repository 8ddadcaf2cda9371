import { Socket } from 'node:net';
import { flushCompileCache } from 'node:module';

/**
 * Messages between the service and a child: JSON and, because copying it into a message would block the main thread, one
 * body of bytes. Node's own channel would buffer whatever a child sends, and a file may have taken the child over.
 */

/** The child's end of the channel. */
export const CHANNEL_FD = 3;

/** Larger than any text or reading: a text has at most 20,000 items. */
const MAX_JSON_BYTES = 8 * 2 ** 20;
/** Each takes much more memory than its two bytes of JSON. */
const MAX_OBJECTS = 100_000;
/** Larger than any PDF that is opened, and any picture. */
const MAX_BODY_BYTES = 48 * 2 ** 20;
/** The lengths of the JSON and of the body. */
const HEADER_BYTES = 8;
const [OBJECT, ARRAY] = [0x7b, 0x5b];

export function sendMessage(channel: Socket, value: unknown, body?: Uint8Array): void {
  const json = Buffer.from(JSON.stringify(value));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(json.length, 0);
  header.writeUInt32LE(body?.length ?? 0, 4);
  channel.write(Buffer.concat([header, json]));
  if (body?.length) channel.write(body);
}

/** Calls `receive` with each message; `refuse`, once, if one is too large or isn't JSON, and then reads no more. */
export function onMessage(
  channel: Socket,
  receive: (value: unknown, body: Buffer) => void,
  refuse: () => void,
): void {
  let jsonBytes: number | null = null;
  let target: Buffer = Buffer.allocUnsafeSlow(HEADER_BYTES);
  let filled = 0;

  /** What follows the header, or the next header; null if it isn't a message. */
  function finish(): Buffer | null {
    if (jsonBytes === null) {
      const bodyBytes = target.readUInt32LE(4);
      jsonBytes = target.readUInt32LE(0);
      if (jsonBytes === 0 || jsonBytes > MAX_JSON_BYTES || bodyBytes > MAX_BODY_BYTES) return null;
      return Buffer.allocUnsafeSlow(jsonBytes + bodyBytes);
    }
    const value = parsed(target.subarray(0, jsonBytes));
    if (value === undefined) return null;
    receive(value, target.subarray(jsonBytes));
    jsonBytes = null;
    return Buffer.allocUnsafeSlow(HEADER_BYTES);
  }

  channel.on('data', (chunk: Buffer) => {
    for (let rest: Buffer = chunk; rest.length > 0 && !channel.destroyed;) {
      const copied = rest.copy(target, filled);
      rest = rest.subarray(copied);
      filled += copied;
      if (filled < target.length) return;
      const next = finish();
      if (!next) {
        channel.destroy();
        return refuse();
      }
      target = next;
      filled = 0;
    }
  });
}

function parsed(json: Buffer): unknown {
  let objects = 0;
  for (const byte of json)
    if ((byte === OBJECT || byte === ARRAY) && ++objects > MAX_OBJECTS) return undefined;
  try {
    return JSON.parse(json.toString()) as unknown;
  } catch {
    return undefined;
  }
}

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
  // Not loaded in the service, which has the other end.
  const { failureOf } = await import('@monroney/label/pdf/text');
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
  const { openText } = await import('@monroney/label/pdf/text');
  const opened = await openText(pdf);
  return opened.ok ? { ok: true, result: opened.text, spent: false } : opened;
}

/**
 * Why a PDF could not be read. `busy`: no worker was free, so a retry may work; `timeout`: it took longer than its deadline;
 * `memory`: it needed more than the memory limit.
 */
export type UnreadableReason = 'broken' | 'timeout' | 'memory' | 'no-text' | 'encrypted' | 'busy';

export type ChildKind = 'text' | 'preview' | 'picture';

/** A request of the pool to a child. */
export interface Request {
  /** What to do, as JSON; the child's program defines it. */
  job: unknown;
  /** The file or the response body that belongs to it. */
  body?: Uint8Array;
  /** The memory that the job takes in the service while it is queued, without its body. */
  bytes?: number;
  /** The source whose response it is. Sources take turns, then the clients that wait for files of one source; see the pool. */
  owner?: string;
  client?: string;
}

/** The job of every text child: to extract the text of the PDF in the body. */
export const EXTRACT_TEXT = 'extract-text';

/** What the preview child does with the PDF in the body. */
export interface PreviewJob {
  width: number;
}

/** A page that was drawn: four bytes per pixel, compressed with deflate, are the reply's body. */
export interface Drawing {
  width: number;
  height: number;
}

/** What the picture child makes: a WebP picture of the pixels in the body, or a card with the pictures in the body. */
export type PictureJob = { webp: Drawing } | { card: CardJob };

/** A link preview card. The picture child draws it, because the service itself may not load native code. */
export interface Card {
  /** The card without the pictures. Text is converted to outlines. */
  svg: string;
  /** Position of each picture, which is scaled to `width` and cropped at the card's edges. */
  stickers: readonly { left: number; top: number; width: number }[];
}

/** A card as it is sent: the pictures follow as one body. */
export interface CardJob extends Card {
  lengths: readonly number[];
}

export interface Unreadable {
  ok: false;
  reason: UnreadableReason;
}

/** A child's reply. `spent`: the child asks to be replaced. Before the first reply it sends `ready`. */
export type Reply = ({ ok: true; result: unknown; body?: Uint8Array } | Unreadable) & { spent: boolean };

/** What a job led to: anything that JSON can say, and bytes. */
export type Opened = { ok: true; result: unknown; body: Buffer } | Unreadable;

export const READY = 'ready';
