/**
 * A fair share of the manufacturers' patience: each address may start so many askings a minute through the tools. Decodes and held
 * labels do not count. Addresses are remembered for two minutes at most, and never more than a bounded number of them.
 */
export interface AskingLimit {
  take(address: string): boolean;
}

const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 50_000;

export const ASKINGS_A_MINUTE = 20;

export function createAskingLimit(clock: () => number, most: number = ASKINGS_A_MINUTE): AskingLimit {
  let current = new Map<string, number>();
  let previous = new Map<string, number>();
  let turned = clock();

  return {
    take(address) {
      const now = clock();
      if (now - turned >= WINDOW_MS || current.size >= MOST_ADDRESSES) {
        previous = now - turned >= 2 * WINDOW_MS ? new Map() : current;
        current = new Map();
        turned = now;
      }
      // The window slides: what was used in the last one counts for the part of it that is not over yet.
      const part = 1 - (now - turned) / WINDOW_MS;
      const used = (current.get(address) ?? 0) + (previous.get(address) ?? 0) * part;
      if (used >= most) return false;
      current.set(address, (current.get(address) ?? 0) + 1);
      return true;
    },
  };
}
