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

/** A page that was drawn: four bytes per pixel, compressed with deflate. */
export interface Drawing {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** What the picture child makes: a WebP picture of the pixels in the body, or a card with the pictures in the body. */
export type PictureJob = { webp: Pick<Drawing, 'width' | 'height'> } | { card: CardJob };

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

/** The file descriptor on which a child receives bodies. */
export const BODY_FD = 4;

/**
 * A request as it is sent. The body follows through a separate pipe, because copying a message of 20 MB would block the main
 * thread for too long.
 */
export interface RequestMessage {
  request: Request;
  length: number;
}

export function messageOf(request: Request): { message: RequestMessage; body: Uint8Array } {
  const none = new Uint8Array();
  if ('pdf' in request)
    return { message: { request: { ...request, pdf: none }, length: request.pdf.length }, body: request.pdf };
  const { body = none, ...rest } = request;
  return { message: { request: rest, length: body.length }, body };
}

/** Puts a received message and its body together. */
export function requestOf({ request, length }: RequestMessage, body: Uint8Array): Request {
  if ('pdf' in request) return { ...request, pdf: body };
  return length > 0 ? { ...request, body } : request;
}

/** A child's reply. `spent`: the child asks to be replaced. Before the first reply it sends `ready`. */
export type Reply = { spent: boolean } & (
  | { ok: true; text: LabelText }
  | { ok: true; result: unknown }
  | { ok: false; reason: UnreadableReason }
);
