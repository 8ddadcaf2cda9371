import type { Decoded } from '@monroney/vin';
import type { HeldLabel } from '../store/store.ts';
import type { Source } from '../makers/maker.ts';
import type { StickerReason } from './schemas.ts';

/** What is known now about the label of one VIN. `outcomes.ts` turns it into what the API says. */
export type Finding =
  /** The make publishes no labels, or nobody knows the make. */
  | { state: 'no-source' }
  | { state: 'held'; label: HeldLabel }
  /** The manufacturer says it has none; believed until `until`. */
  | { state: 'none'; why: string; until: number }
  /** Taken down by the operator: never served nor fetched again. */
  | { state: 'withdrawn'; reason: string; since: number }
  /** Nobody asked (`sticker=false`) and we hold none. */
  | { state: 'unasked' }
  /** Switched off by the operator, and not held. */
  | { state: 'off'; reason: string | null; since: number | null; by?: By }
  | { state: 'refused'; why: string; retryAfter: number; by?: By }
  | { state: 'failed'; why: string; retryAfter: number; by?: By }
  /** The asker would not wait longer; the asking goes on. */
  | { state: 'asking'; since: number; retryAfter: number; by?: By }
  /** This client has had too many new labels fetched; nobody was asked. */
  | { state: 'limited'; retryAfter: number };

/** The id of the source that is off, refused or failed, where a car has two. */
type By = string | undefined;

export interface LookupResult {
  vin: string;
  decoded: Decoded;
  /** The one that the finding speaks of; null where nobody publishes the make's labels. */
  source: Source | null;
  finding: Finding;
  /** Set for our documented test VINs. */
  specimen: boolean;
}

/** A label that is there, or the reason why there is none: the rows of `outcomes.ts` and of `messages.ts`. */
export type Code = 'available' | StickerReason;

/** Whether the manufacturer is known but not which of its makes the car is, so that there is nobody to ask. */
export function isMakeUnknown({ finding, decoded }: LookupResult): boolean {
  return finding.state === 'no-source' && decoded.vehicle !== null && !decoded.vehicle.make;
}
