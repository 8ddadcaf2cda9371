import { sourceForMake } from '../makers/index.ts';
import type { Reading } from '../reading/types.ts';
import type { LabelResponse } from './schemas.ts';
import type { HeldLabel } from '../store/store.ts';

/** The reading as an API response; without `text` when `lines` is null. */
export function labelResponse(held: HeldLabel, reading: Reading, lines: string[][] | null): LabelResponse {
  return {
    ok: true,
    vin: held.vin,
    readable: reading.readable,
    reason: reading.reason,
    label: reading.label,
    proof: reading.proof,
    provenance: {
      source: held.source,
      host: held.host,
      fetched: new Date(held.fetched).toISOString(),
      bytes: held.bytes,
      sha256: held.sha256,
      reader: reading.reader,
      verifiedOn: sourceForMake(held.make)?.verifiedOn ?? 0,
    },
    ...(lines === null ? {} : { text: lines }),
  };
}
