import type { Decoded } from '@monroney/vin';
import type { Finding, LookupResult } from '../finding.ts';
import type { Source } from '../../makers/maker.ts';
import type { Specimen } from './index.ts';

/** The lookup result of a specimen: the same on every instance, without a request to a source. */
export function specimenResult(
  specimen: Specimen,
  decoded: Decoded,
  source: Source | null,
  sticker: boolean,
): LookupResult {
  return { vin: specimen.vin, decoded, source, finding: finding(specimen, sticker), specimen: true };
}

function finding(specimen: Specimen, sticker: boolean): Finding {
  switch (specimen.state) {
    case 'held':
      return { state: 'held', label: specimen.label! };
    case 'off':
      return {
        state: 'off',
        reason: 'this test VIN shows what a paused make looks like',
        since: null,
      };
    case 'no-source':
      return { state: 'no-source' };
    case 'none':
      return sticker
        ? { state: 'none', why: 'specimen', until: Number.MAX_SAFE_INTEGER }
        : { state: 'not-asked' };
    case 'failed':
      return sticker ? { state: 'failed', why: 'specimen', retryAfter: 30 } : { state: 'not-asked' };
  }
}
