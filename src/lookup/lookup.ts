import type { Decoded, Vpic } from '@monroney/vin';
import type { TextsAndPreviews } from './texts-and-previews.ts';
import { find, type FindDependencies, type FindOptions } from './find.ts';
import type { LookupResult } from './finding.ts';
import type { Source } from '../makers/maker.ts';
import type { Switches } from './switches.ts';
import { LabelMissing, LabelCorrupted, type HeldLabel } from '../store/store.ts';
import { LRUCache } from 'lru-cache';

/** What every interface uses: the lookup of a VIN (`find.ts`), and what belongs to a label that it found. */
export interface Lookup extends Pick<TextsAndPreviews, 'text' | 'lines' | 'reading' | 'preview' | 'card'> {
  decode(vin: string): Decoded;
  /** `vin` is upper-case and well-formed. */
  find(vin: string, options: FindOptions): Promise<LookupResult>;
  pdf(label: HeldLabel): Promise<Buffer>;
  readonly sources: readonly Source[];
  readonly switches: Switches;
}

export interface LookupDependencies extends FindDependencies {
  specimens: FindDependencies['specimens'] & { pdf(vin: string): Buffer };
  sources: FindDependencies['sources'] & { list: readonly Source[] };
  textsAndPreviews: TextsAndPreviews;
}

export function createLookup(dependencies: LookupDependencies): Lookup {
  const { store, specimens, textsAndPreviews, log } = dependencies;

  /** Marks a label whose bytes are missing or corrupted, so that the next lookup fetches it again. */
  async function markIfDamaged(label: HeldLabel, error: unknown): Promise<never> {
    if (error instanceof LabelMissing || error instanceof LabelCorrupted) {
      try {
        const found = await store.checkBytes(label);
        if (found === 'missing' || found === 'corrupted') await store.markDamaged(label);
        log.error('store: the bytes of a label are damaged', { sha256: label.sha256, found });
      } catch (failure) {
        log.warn('store: cannot check the bytes of a label', { error: String(failure) });
      }
    }
    throw error;
  }

  return {
    decode: (vin) => dependencies.vpic.decode(vin),
    find: (vin, options) => find(vin, options, dependencies),
    async pdf(label) {
      if (label.source === 'specimen') return specimens.pdf(label.vin);
      return store.pdf(label).catch((error: unknown) => markIfDamaged(label, error));
    },
    ...textsAndPreviews,
    sources: dependencies.sources.list,
    switches: dependencies.switches,
  };
}

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
