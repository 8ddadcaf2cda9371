import type { Received } from './judge.ts';

/** One request to a source and what came back. */
export interface Exchange {
  source: string;
  vin: string;
  url: string;
  /** Milliseconds since the epoch. */
  at: number;
  ms: number;
  /** Null when nothing came. */
  answer: Received | null;
}
