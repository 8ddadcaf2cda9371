import type { LabelText } from './types.ts';

/**
 * Why a PDF gave nothing: `busy` means nobody looked at it and it may be tried again,
 * `timeout` that it took longer than its deadline, `memory` that it wanted more than its ceiling.
 */
export type UnreadableReason = 'broken' | 'timeout' | 'memory' | 'no-text' | 'encrypted' | 'busy';

export interface Unreadable {
  ok: false;
  reason: UnreadableReason;
}

/** Widths a preview is drawn at, in pixels. */
export const PREVIEW_WIDTHS = [320, 640, 1280, 1920] as const;
export const PREVIEW_WIDTH = 1280;

/** Where PDFs are opened: in child processes with a memory ceiling and a deadline, never in the service itself. */
export interface LabelDesk {
  /** The text with positions. Never rejects. */
  text(pdf: Uint8Array): Promise<{ ok: true; text: LabelText } | Unreadable>;
  /** The first page as a WebP picture. Never rejects. */
  preview(pdf: Uint8Array, width: number): Promise<{ ok: true; webp: Buffer } | Unreadable>;
  /** Ends the children; jobs under way and waiting are answered `busy`. */
  close(): Promise<void>;
}
