import type { Decoded } from '@monroney/vin';
import { printedCar } from '@monroney/label/reading/printed-car';
import type { PrintedCar, Reading } from '@monroney/label/reading/types';
import type { Source } from '../makers/maker.ts';
import type { HeldLabel } from '../store/store.ts';
import type { StickerReason } from './schemas.ts';

/**
 * What is known now about the label of one VIN. `finding-response.ts` turns it into what the API says. `sourceId` is the source it
 * is about, if a car has two.
 */
export type Finding =
  /** The make publishes no labels, or the make is unknown. */
  | { state: 'no-source' }
  | { state: 'held'; label: HeldLabel }
  /** The manufacturer says it has none; asked again after `until`. */
  | { state: 'none'; why: string; until: number }
  /** Taken down by the operator: it alone, for good, or with all of its source, until that is on again. */
  | { state: 'withdrawn'; reason: string; since: number }
  /** We hold none, and the lookup didn't ask for it (`sticker=false`). */
  | { state: 'not-asked' }
  /** Switched off by the operator, and not held. */
  | { state: 'off'; reason: string | null; since: number | null; sourceId?: string }
  | { state: 'refused'; why: string; retryAfter: number; sourceId?: string }
  | { state: 'failed'; why: string; retryAfter: number; sourceId?: string }
  /** The client didn't wait any longer; the request to the source continues. */
  | { state: 'asking'; since: number; retryAfter: number; sourceId?: string }
  /** This client requested too many new labels, so no request was sent. */
  | { state: 'limited'; retryAfter: number };

export interface LookupResult {
  vin: string;
  decoded: Decoded;
  /** The source that the finding is about; null if the make publishes no labels. */
  source: Source | null;
  finding: Finding;
  /** Set for our documented test VINs. */
  specimen: boolean;
}

/** What a stored label says about the car, for its name. */
export function printedCarOf({ finding }: Pick<LookupResult, 'finding'>): PrintedCar | null {
  return (finding.state === 'held' && finding.label.car) || null;
}

/** The make in capitals: vPIC's or, where it can't tell, the label's. */
export function makeOf(found: Pick<LookupResult, 'decoded' | 'finding'>): string | null {
  return found.decoded.vehicle?.make ?? printedCarOf(found)?.make.toUpperCase() ?? null;
}

/** The result with what its label says by this reading: the row of an older version doesn't have it. */
export function withReading<T extends Pick<LookupResult, 'finding'>>(found: T, reading: Reading | null): T {
  const { finding } = found;
  if (finding.state !== 'held' || !reading?.label) return found;
  return { ...found, finding: { ...finding, label: { ...finding.label, car: printedCar(reading.label) } } };
}

/** The rows of `finding-response.ts` and `messages.ts`: a label, or the reason why there is none. */
export type Code = 'available' | StickerReason;

/** vPIC's error code. */
const WRONG_CHECK_DIGIT = 1;

export function failsCheckDigit({ codes }: Decoded): boolean {
  return codes.includes(WRONG_CHECK_DIGIT);
}
