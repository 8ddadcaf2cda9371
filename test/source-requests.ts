import { after, mock } from 'node:test';
import { ask } from '../src/lookup/ask.ts';
import { openNet, type Net, type NetOptions } from '../src/sources/hosts.ts';
import type { Source } from '../src/makers/maker.ts';
import type { Behavior } from '../tools/simulator/behaviors.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { judge, named } from './judge.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

let serial = 0;
/** A VIN that has not been looked up yet. */
export function freshVin(source: Source): string {
  return source.example.slice(0, -4) + String(++serial).padStart(4, '0');
}

/** Requests to simulated sources without a service, until the tests of the file that starts it have run. */
export async function startSources() {
  const simulator = await startSimulator();
  const nets: Net[] = [];
  after(async () => {
    for (const net of nets) net.close();
    await simulator.close();
  });

  function quickNet(options: Partial<NetOptions> = {}): Net {
    const net = openNet({
      baseUrl: 'https://stickers.example',
      sourceOrigin: simulator.origin,
      hosts: { everyMs: 0 },
      ...options,
    });
    nets.push(net);
    return { ...net, backoffMs: 1 };
  }

  async function askSource(id: string, behavior: Behavior, net = quickNet()) {
    const source = named(id);
    const vin = freshVin(source);
    simulator.set(vin, behavior);
    const outcome = await ask(source, vin, { net, judge, now: Date.now });
    const requests = simulator.requests.filter((request) => request.vin === vin);
    return { source, vin, outcome, requests };
  }

  /** Lets the time of a request pass as soon as `count` requests have arrived since. */
  async function passTime(count: number, from: number, advance = () => {}): Promise<void> {
    while (simulator.requests.length < from + count) await nextTurn();
    // Whatever the source sent at once has arrived then.
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    advance();
    mock.timers.tick(60_000);
  }

  /** As `askSource`, for a source that never responds: the time passes as soon as the request has arrived. Needs fake timers. */
  async function askUntilTimeout(id: string, behavior: Behavior) {
    const asking = askSource(id, behavior);
    await passTime(1, simulator.requests.length);
    return asking;
  }

  return { simulator, quickNet, askSource, askUntilTimeout, passTime };
}
