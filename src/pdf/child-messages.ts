import type { LabelText } from '../reading/types.ts';

/**
 * Why a PDF could not be read. `busy`: no worker was free, so a retry may work; `timeout`: it took longer than its deadline;
 * `memory`: it needed more than the memory limit.
 */
export type UnreadableReason = 'broken' | 'timeout' | 'memory' | 'no-text' | 'encrypted' | 'busy';

export type ChildKind = 'text' | 'preview' | 'picture';

/** A request of the pool to a child: to open a file, or a job that the child's program defines. */
export type Request = OpenFile | Job;

export interface Job {
  job: unknown;
  /** The memory that it takes in the service while it is queued. */
  bytes: number;
  /** The source whose response it is. Sources take turns, see the pool. */
  owner?: string;
  /** A response body that belongs to the job. */
  body?: Uint8Array;
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

export interface OpenFile {
  pdf: Uint8Array;
  width: number;
}

/** The memory that a request takes in the service while it is queued. */
export const bytesOf = (request: Request): number => ('pdf' in request ? request.pdf.length : request.bytes);

export const ownerOf = (request: Request): string | undefined =>
  'pdf' in request ? undefined : request.owner;

/** The request without its bytes, which are sent as the message's body. */
export function messageOf(request: Request): { value: object; body?: Uint8Array } {
  if ('pdf' in request) return { value: { width: request.width }, body: request.pdf };
  const { job, body } = request;
  return { value: { job }, body };
}

/** The request of a message. */
export function requestOf(value: unknown, body: Uint8Array): Request {
  const message = value as Pick<Job, 'job'> | Pick<OpenFile, 'width'>;
  return 'job' in message ? { ...message, bytes: 0, body } : { ...message, pdf: body };
}

/** A child's reply. `spent`: the child asks to be replaced. Before the first reply it sends `ready`. */
export type Reply = { spent: boolean } & (
  | { ok: true; text: LabelText }
  | { ok: true; result: unknown; body?: Uint8Array }
  | { ok: false; reason: UnreadableReason }
);

export const READY = 'ready';
