import { bundledMonth, loadBundled, loadVpic, type Decoder } from '@monroney/vin';
import type { Log } from '../lib/log.ts';
import type { Store, VpicFile } from '../store/store.ts';

const DAY_MS = 86_400_000;
/** NHTSA releases monthly; data this old has missed a release. */
export const VPIC_OLD_DAYS = 60;

/** Days since the first of the release's month, `2026-10`. */
export function vpicAgeDays(month: string, now: number): number {
  return Math.floor((now - Date.parse(`${month}-01`)) / DAY_MS);
}

/** The data file that the next start uses; null for the data of the program, which a later version may have replaced by newer data. */
export async function chosenVpic({ vpic }: Pick<Store, 'vpic'>): Promise<VpicFile | null> {
  const { current } = await vpic.choice();
  return current && current.month >= bundledMonth() ? current : null;
}

/** The decoder for a start. Without a store that can be read, or if the data in it is damaged, that of the program. */
export async function loadChosenVpic(store: Pick<Store, 'vpic'>, log: Pick<Log, 'warn'>): Promise<Decoder> {
  try {
    const chosen = await chosenVpic(store);
    if (chosen) return loadVpic(await store.vpic.read(chosen));
  } catch (error) {
    log.warn('vpic: cannot load the data of "admin vpic update"; using the data of this version', {
      error: (error as Error).message,
    });
  }
  return loadBundled();
}
