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
