import type { Runtime } from '../../src/runtime.ts';
import type { SourceOutcome } from '../../src/store/store.ts';

const HOUR = 3_600_000;

/** Records a day with every state: gaps, failures, a source that refuses us and one that is switched off. */
export async function recordBusyDay({ store, lookup }: Pick<Runtime, 'store' | 'lookup'>): Promise<void> {
  // oxlint-disable-next-line tests/no-clock -- The service counts the hours before its own time.
  const now = Date.now();
  const random = randomFrom(7);
  for (const { id } of lookup.sources) {
    for (let hoursAgo = 0; hoursAgo < 24; hoursAgo++) {
      if (id === 'subaru' && hoursAgo > 15 && hoursAgo < 20) continue;
      if (id === 'nissan' && hoursAgo < 14) continue;
      for (let request = 0; request < 6; request++) {
        await store.countSourceRequest(
          id,
          now - hoursAgo * HOUR,
          outcome(id, hoursAgo, random),
          900 + random() * 2000,
        );
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

function outcome(id: string, hoursAgo: number, random: () => number): SourceOutcome {
  if (id === 'hyundai' && hoursAgo < 6) return 'refused';
  if (id === 'gm' && hoursAgo < 5 && random() < 0.3) return 'failed';
  if (id === 'kia' && hoursAgo === 11) return 'failed';
  return random() < 0.8 ? 'label' : 'none';
}

/** A seeded generator: the same numbers each time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
