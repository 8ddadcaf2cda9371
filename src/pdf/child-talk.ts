import type { LabelText } from '../reading/types.ts';

/**
 * Why a PDF gave nothing: `busy` means nobody looked at it and it may be tried again,
 * `timeout` that it took longer than its deadline, `memory` that it wanted more than its ceiling.
 */
export type UnreadableReason = 'broken' | 'timeout' | 'memory' | 'no-text' | 'encrypted' | 'busy';

export type ChildKind = 'text' | 'preview';

/** What the pool asks a child: to open a file, or to do a job that only the child's own program knows. */
export type Request = OpenFile | { job: unknown; bytes: number };

export interface OpenFile {
  pdf: Uint8Array;
  width: number;
}

/** How much of the service's memory a request takes while it waits. */
export const bytesOf = (request: Request): number => ('pdf' in request ? request.pdf.length : request.bytes);

/** What a child answers; `spent` asks to be replaced. Before the first it says `ready`. */
export type Reply = { spent: boolean } & (
  | { ok: true; text: LabelText }
  | { ok: true; webp: Uint8Array }
  | { ok: true; result: unknown }
  | { ok: false; reason: UnreadableReason }
);
