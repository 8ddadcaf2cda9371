import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type HeldLabel, LabelMissing, StoreUnavailable } from '../store.ts';
import type { Bucket } from './bucket.ts';
import type { LabelRows } from './label-rows.ts';

/** Rows in memory: about ten megabytes. */
const ROWS = 20_000;

/**
 * Finds held labels also while PostgreSQL is away: those seen lately in memory, the others by a copy of the row that
 * lies beside the bytes. PostgreSQL has the only say on what is not held: without it that is unknown, not "none".
 */
export function rowCopies(rows: LabelRows, bucket: Bucket) {
  const seen = new LRUCache<string, HeldLabel>({ max: ROWS });
  const keyOf = (vin: string) => `rows/${vin}.json`;

  /** The copy of a row beside the bytes; null when there is none, or none that can be read. */
  async function copyOf(vin: string): Promise<HeldLabel | null> {
    try {
      return JSON.parse((await bucket.get(keyOf(vin))).toString()) as HeldLabel;
    } catch (error) {
      if (error instanceof LabelMissing || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  async function withoutRows(vin: string): Promise<HeldLabel | null> {
    const known = seen.get(vin);
    if (known) return known;
    const label = await copyOf(vin).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) return null;
      throw error;
    });
    if (label) seen.set(vin, label);
    return label;
  }

  return {
    label: async (vin: string): Promise<HeldLabel | null> => {
      try {
        const label = await rows.label(vin);
        if (label) seen.set(vin, label);
        else seen.delete(vin);
        return label;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        const label = await withoutRows(vin);
        if (label) return label;
        throw error;
      }
    },
    /** Puts the copy of a row beside the bytes. */
    write: async (label: HeldLabel): Promise<void> => {
      const bytes = Buffer.from(JSON.stringify(copied(label)));
      await bucket.put(keyOf(label.vin), bytes, hash('sha256', bytes, 'hex'), 'application/json');
      seen.set(label.vin, label);
    },
    copyOf,
    /** Without a copy and a memory of it a label is not found, whether PostgreSQL is there or not. */
    remove: async (vin: string): Promise<void> => {
      seen.delete(vin);
      await bucket.remove(keyOf(vin));
    },
    forget: (vin: string): void => void seen.delete(vin),
  };
}

/** The part of a row that its copy holds: the copy of a damaged label is that of the whole one. */
export function copied(label: HeldLabel): HeldLabel {
  const { damaged: _, ...copy } = label;
  return copy;
}
