import type { LabelText } from '../reading/types.ts';

/**
 * Why a PDF gave nothing: `busy` means nobody looked at it and it may be tried again,
 * `timeout` that it took longer than its deadline, `memory` that it wanted more than its ceiling.
 */
export type UnreadableReason = 'broken' | 'timeout' | 'memory' | 'no-text' | 'encrypted' | 'busy';

export type ChildKind = 'text' | 'preview';

/** What the pool asks a child: to open a file, or to do a job that only the child's own program knows. */
export type Request = OpenFile | Job;

export interface Job {
  job: unknown;
  /** How much of the service's memory it takes while it waits. */
  bytes: number;
  /** A body from outside that belongs to the job. */
  body?: Uint8Array;
}

/** A card for link previews, drawn by the preview child, since the service itself may load no native code. */
export interface Card {
  /** The whole card, as outlines: it has no text. */
  svg: string;
  /** Where the top left of the picture goes, scaled to `width`; it is cut off at the card's edges. */
  sticker: { left: number; top: number; width: number };
}

export interface OpenFile {
  pdf: Uint8Array;
  width: number;
}

/** How much of the service's memory a request takes while it waits. */
export const bytesOf = (request: Request): number => ('pdf' in request ? request.pdf.length : request.bytes);

/** The file descriptor at which a child gets file bodies. */
export const BODY_FD = 4;

/**
 * A request as it is sent. Its body follows through a pipe of its own: a message would be copied as a whole on the
 * main thread, which takes too long with 20 MB.
 */
export interface Sent {
  request: Request;
  length: number;
}

export function sentOf(request: Request): { sent: Sent; body: Uint8Array } {
  const none = new Uint8Array();
  if ('pdf' in request)
    return { sent: { request: { ...request, pdf: none }, length: request.pdf.length }, body: request.pdf };
  const { body = none, ...rest } = request;
  return { sent: { request: rest, length: body.length }, body };
}

/** The request that was sent, with its body again. */
export function receivedOf({ request, length }: Sent, body: Uint8Array): Request {
  if ('pdf' in request) return { ...request, pdf: body };
  return length > 0 ? { ...request, body } : request;
}

/** What a child answers; `spent` asks to be replaced. Before the first it says `ready`. */
export type Reply = { spent: boolean } & (
  | { ok: true; text: LabelText }
  | { ok: true; webp: Uint8Array }
  | { ok: true; result: unknown }
  | { ok: false; reason: UnreadableReason }
);
