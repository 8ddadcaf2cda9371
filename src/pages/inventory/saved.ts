import type { List } from './list.ts';
import type { Times } from './pace.ts';
import type { Found } from './results.ts';

/** The list in this browser, so that a visitor can leave and come back. */

const KEY = 'monroney.inventory';
/** Changes when a list that was saved before can't be read any more. */
const VERSION = 1;

export interface Lot {
  list: List;
  results: Map<string, Found>;
  isPaused: boolean;
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** False if there is no room for it. */
export function save(storage: Storage, { list, results, isPaused }: Lot): boolean {
  try {
    storage.setItem(KEY, JSON.stringify({ version: VERSION, list, results: [...results], isPaused }));
    return true;
  } catch {
    return false;
  }
}

/** Null if there is none. */
export function restore(storage: Storage): Lot | null {
  try {
    const saved = JSON.parse(storage.getItem(KEY) ?? 'null') as
      | (Omit<Lot, 'results'> & { version: number; results: [string, Found][] })
      | null;
    if (saved?.version !== VERSION) return null;
    const { list, isPaused, results } = saved;
    return { list, isPaused, results: new Map(results) };
  } catch {
    return null;
  }
}

/** Whether a change in another tab is about the list. Null: about everything. */
export const isListKey = (key: string | null): boolean => key === null || key === KEY;

type TimesName = 'requests' | 'new';

export const keptTimes = (storage: Storage, name: TimesName): Times => ({
  load() {
    try {
      return JSON.parse(storage.getItem(`${KEY}.${name}`) ?? '[]') as number[];
    } catch {
      return [];
    }
  },
  save(times) {
    try {
      storage.setItem(`${KEY}.${name}`, JSON.stringify(times));
    } catch {
      // This page still knows them.
    }
  },
});

export function forget(storage: Storage): void {
  try {
    for (const key of [KEY, `${KEY}.requests`, `${KEY}.new`]) storage.removeItem(key);
  } catch {
    // Nothing was saved.
  }
}
