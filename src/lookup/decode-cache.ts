import type { Decoded, Vpic } from '@monroney/vin';
import { createRecentCache } from '../lib/recent-cache.ts';

const MOST = 2048;
/** The calendar has a say in model years. */
const FRESH_MS = 3_600_000;

/**
 * Decodes each kind of car once: VINs that differ only in serial number and check digit decode alike, and people ask
 * about the same models. What is wrong in any way is decoded by itself.
 */
export function cachedDecoder(
  vpic: Pick<Vpic, 'decode' | 'kindOf'>,
  now: () => number,
): Pick<Vpic, 'decode'> {
  const kinds = createRecentCache<{ decoded: Decoded; until: number }>(MOST);
  return {
    decode(vin) {
      const kind = vpic.kindOf(vin);
      if (kind === null) return vpic.decode(vin);
      const known = kinds.get(kind);
      if (known && now() < known.until) return { ...known.decoded, vin };
      const decoded = vpic.decode(vin);
      if (decoded.codes[0] === 0) kinds.set(kind, { decoded, until: now() + FRESH_MS });
      return decoded;
    },
  };
}
