import { LRUCache } from 'lru-cache';
import type { Decoded, Vpic } from '@monroney/vin';

const MAX_ENTRIES = 4096;
/** Bounded, because the model year depends on today's date. */
const TTL_MS = 3_600_000;

/**
 * Decodes each kind of car once: VINs that differ only in serial number and check digit have the same decode. VINs with
 * errors are not cached.
 */
export function cachedDecoder(
  vpic: Pick<Vpic, 'decode' | 'kindOf'>,
  now: () => number,
): Pick<Vpic, 'decode'> {
  const kinds = new LRUCache<string, { decoded: Decoded; until: number }>({ max: MAX_ENTRIES });
  return {
    decode(vin) {
      const kind = vpic.kindOf(vin);
      if (kind === null) return vpic.decode(vin);
      const cached = kinds.get(kind);
      if (cached && now() < cached.until) return { ...cached.decoded, vin };
      const decoded = vpic.decode(vin);
      if (decoded.codes[0] === 0) kinds.set(kind, { decoded, until: now() + TTL_MS });
      return decoded;
    },
  };
}
