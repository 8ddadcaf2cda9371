import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type HeldLabel, LabelMissing, StoreUnavailable } from '../store.ts';
import type { Bucket } from './bucket.ts';
import type { LabelRows } from './label-rows.ts';

/** About ten megabytes. */
const MAX_CACHED_ROWS = 20_000;

/**
 * Finds labels while PostgreSQL is down: recent ones in memory, others by a copy of their row in the bucket. Only
 * PostgreSQL can say that there is no label; without it that is unknown.
 */
export function rowCopies(rows: LabelRows, bucket: Bucket) {
  const cache = new LRUCache<string, HeldLabel>({ max: MAX_CACHED_ROWS });
  const keyOf = (vin: string) => `rows/${vin}.json`;

  /** The copy of a row; null if there is none or it is malformed. */
  async function copyOf(vin: string): Promise<HeldLabel | null> {
    try {
      return JSON.parse((await bucket.get(keyOf(vin))).toString()) as HeldLabel;
    } catch (error) {
      if (error instanceof LabelMissing || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  async function findWithoutRows(vin: string): Promise<HeldLabel | null> {
    const cached = cache.get(vin);
    if (cached) return cached;
    const label = await copyOf(vin).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) return null;
      throw error;
    });
    if (label) cache.set(vin, label);
    return label;
  }

  return {
    label: async (vin: string): Promise<HeldLabel | null> => {
      try {
        const label = await rows.label(vin);
        if (label) cache.set(vin, label);
        else cache.delete(vin);
        return label;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        const label = await findWithoutRows(vin);
        if (label) return label;
        throw error;
      }
    },
    /** Writes the copy of a row to the bucket. */
    write: async (label: HeldLabel): Promise<void> => {
      const bytes = Buffer.from(JSON.stringify(withoutDamaged(label)));
      await bucket.put(keyOf(label.vin), bytes, hash('sha256', bytes, 'hex'), 'application/json');
      cache.set(label.vin, label);
    },
    copyOf,
    /** Removes the copy and the cached row, so that the label isn't found while PostgreSQL is down either. */
    remove: async (vin: string): Promise<void> => {
      cache.delete(vin);
      await bucket.remove(keyOf(vin));
    },
    forget: (vin: string): void => void cache.delete(vin),
  };
}

/** The label as it is in the copy of its row. */
export function withoutDamaged(label: HeldLabel): HeldLabel {
  const { damaged: _, ...copy } = label;
  return copy;
}
