import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { silentLog } from '../src/lib/log.ts';
import { ask } from '../src/lookup/ask.ts';
import { isAvailable, openSwitches } from '../src/lookup/source-states.ts';
import type { Net } from '../src/sources/hosts.ts';
import type { Store } from '../src/store/store.ts';
import type { Simulator } from '../tools/simulator/simulator.ts';
import { judge, named } from './judge.ts';
import { freshVin } from './source-requests.ts';

const REQUESTS = 12;
/** What an idle host gets at once. */
const AT_ONCE = 3;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Twelve requests wait for a source, one of which may be sent each second, when the operator switches it off in another
 * process. Returns how many it gets more than five seconds later.
 */
export async function lateRequests(
  t: TestContext,
  {
    store,
    operator,
    simulator,
    openNet,
  }: {
    store: Store;
    operator: Pick<Store, 'setSwitch'>;
    simulator: Simulator;
    openNet(now: () => number): Net;
  },
): Promise<number> {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const clock = { now: 0 };
  const source = named('ford');
  const switches = await openSwitches({ store, startOff: [], log: silentLog, now: () => clock.now });
  t.after(() => switches.close());
  simulator.set(source.id, 'none');
  const from = simulator.requests.length;
  const sent = () => simulator.requests.length - from;
  const net = openNet(() => clock.now);
  const ended: string[] = [];
  const asking = Array.from({ length: REQUESTS }, async () => {
    const outcome = await ask(source, freshVin(source), {
      net,
      judge,
      isAvailable: (asked) => isAvailable(asked, { switches, now: () => clock.now }),
      now: () => clock.now,
    });
    ended.push(outcome.kind === 'label' ? 'label' : outcome.why);
  });
  // Three at once, then one a second.
  while (ended.length < AT_ONCE) await nextTurn();
  await operator.setSwitch({ source: source.id, state: 'off', reason: 'by hand', since: 1 });
  let sentInTime = 0;
  for (let second = 1; second <= REQUESTS - AT_ONCE; second++) {
    clock.now += 1000;
    t.mock.timers.tick(1000);
    // Every two seconds the switches are read, which takes real time.
    if (second === 2) while (switches.state(source.id).state !== 'off') await nextTurn();
    while (ended.length < AT_ONCE + second) await nextTurn();
    if (second === 5) sentInTime = sent();
  }
  await Promise.all(asking);
  assert.equal(ended.at(-1), 'unavailable');
  simulator.set(source.id, 'label');
  return sent() - sentInTime;
}
