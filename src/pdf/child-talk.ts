import type { UnreadableReason } from './desk.ts';
import type { LabelText } from '../reading/types.ts';

export type ChildKind = 'text' | 'preview';

/** What the pool asks a child. */
export interface Request {
  pdf: Uint8Array;
  width: number;
}

/** What a child answers; `spent` asks to be replaced. Before the first it says `ready`. */
export type Reply = { spent: boolean } & (
  | { ok: true; text: LabelText }
  | { ok: true; webp: Uint8Array }
  | { ok: false; reason: UnreadableReason }
);
