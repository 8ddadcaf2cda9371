import { after } from 'node:test';
import { createJudge } from '../src/lookup/judge.ts';
import { extractText } from '../src/pdf/text.ts';
import { ask } from '../src/lookup/ask.ts';
import { openNet, type Net, type NetOptions } from '../src/net/net.ts';
import { sources } from '../src/makers/index.ts';
import type { Source } from '../src/makers/maker.ts';
import type { Behavior } from '../tools/simulator/behaviors.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';

export const judge = createJudge({
  text: async (pdf) => {
    try {
      return { ok: true, text: await extractText(pdf) };
    } catch {
      return { ok: false, reason: 'broken' };
    }
  },
});

export function sourceById(id: string): Source {
  return sources.find((source) => source.id === id)!;
}

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
      backoffMs: 1,
      attemptMs: 10_000,
      totalMs: 20_000,
      ...options,
    });
    nets.push(net);
    return net;
  }

  async function askSource(id: string, behavior: Behavior, net = quickNet()) {
    const source = sourceById(id);
    const vin = freshVin(source);
    simulator.set(vin, behavior);
    const outcome = await ask(source, vin, { net, judge, now: Date.now });
    const requests = simulator.requests.filter((request) => request.vin === vin);
    return { source, vin, outcome, requests };
  }

  return { simulator, quickNet, askSource };
}
