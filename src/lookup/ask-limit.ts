/**
 * A fair share of the manufacturers' patience: through the tools, each address may have so many VINs asked for in a minute.
 * Decodes and held labels do not count, nor does asking again for the same VIN: its manufacturer is asked only once.
 */
export interface AskingLimit {
  /** True when this VIN may be asked for, and then it counts; else in how many seconds it may be. */
  take(address: string, vin: string): true | { inSeconds: number };
  /** Forgets addresses that asked for nothing in the last minute. */
  forget(): void;
  /** Addresses remembered now. */
  size(): number;
}

const WINDOW_MS = 60_000;
/** Of addresses remembered at once; the one that was quiet longest is forgotten first. */
const MOST_ADDRESSES = 10_000;

export const ASKINGS_A_MINUTE = 20;

export function createAskingLimit(clock: () => number, most: number = ASKINGS_A_MINUTE): AskingLimit {
  /** By address: VINs and when they were first asked for, oldest first. */
  const seen = new Map<string, Map<string, number>>();
  const forgetOld = (asked: Map<string, number>, now: number) => {
    for (const [vin, at] of asked) {
      if (now - at < WINDOW_MS) break;
      asked.delete(vin);
    }
  };

  return {
    take(address, vin) {
      const now = clock();
      const asked = seen.get(address) ?? new Map<string, number>();
      seen.delete(address);
      seen.set(address, asked);
      if (seen.size > MOST_ADDRESSES) seen.delete(seen.keys().next().value!);
      forgetOld(asked, now);
      if (asked.has(vin)) return true;
      if (asked.size < most) {
        asked.set(vin, now);
        return true;
      }
      const [oldest] = asked.values();
      return { inSeconds: Math.max(1, Math.ceil((oldest! + WINDOW_MS - now) / 1000)) };
    },
    size: () => seen.size,
    forget() {
      const now = clock();
      for (const [address, asked] of seen) {
        forgetOld(asked, now);
        if (asked.size === 0) seen.delete(address);
      }
    },
  };
}
