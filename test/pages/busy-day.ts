import type { Runtime } from '../../src/runtime.ts';
import type { SourceOutcome } from '../../src/store/store.ts';

const HOUR = 3_600_000;

/** Records a day with every state: gaps, failures, a source that refuses us and one that is switched off. */
export async function aBusyDay({ store, lookup }: Pick<Runtime, 'store' | 'lookup'>): Promise<void> {
  const now = Date.now();
  const chance = dice(7);
  for (const { id } of lookup.sources) {
    for (let ago = 0; ago < 24; ago++) {
      if (id === 'subaru' && ago > 15 && ago < 20) continue;
      if (id === 'nissan' && ago < 14) continue;
      for (let asked = 0; asked < 6; asked++) {
        await store.countSourceRequest(id, now - ago * HOUR, outcome(id, ago, chance), 900 + chance() * 2000);
      }
    }
  }
  await store.addChanges([
    { source: 'ford', at: now - 150 * HOUR, state: 'resting', reason: 'it refused every request' },
    { source: 'ford', at: now - 147 * HOUR, state: 'on', reason: null },
  ]);
  const reason = 'the dealer platform asked for a pause';
  await store.setSwitch({ source: 'nissan', state: 'off', reason, since: now - 14 * HOUR });
  await lookup.switches.refresh();
}

function outcome(id: string, ago: number, chance: () => number): SourceOutcome {
  if (id === 'hyundai' && ago < 6) return 'refused';
  if (id === 'gm' && ago < 5 && chance() < 0.3) return 'failed';
  if (id === 'kia' && ago === 11) return 'failed';
  return chance() < 0.8 ? 'label' : 'none';
}

/** A seeded generator: the same numbers each time. */
function dice(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
