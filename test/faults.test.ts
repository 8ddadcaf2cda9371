import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DrillResult } from '../tools/drill/drill.ts';
import { run as clients } from '../tools/drill/clients.ts';
import { run as disk } from '../tools/drill/disk.ts';
import { run as fuzz } from '../tools/drill/fuzz.ts';
import { run as kill } from '../tools/drill/kill.ts';
import { run as powerCut, withoutTrace } from '../tools/drill/power-cut.ts';
import { run as replaced } from '../tools/drill/replaced.ts';
import { run as sources } from '../tools/drill/sources.ts';
import { isLong } from './size.ts';

/** The drills of `npm run drill`, short: real processes, real signals, a real small disk where the machine lets us. */

const skip = process.platform === 'linux' ? false : 'skipped: these look into /proc';

function held({ ok, wrong, figures }: DrillResult): void {
  assert.ok(ok, `${wrong.join('\n')}\n${JSON.stringify(figures)}`);
}

test('killed while fetching and writing: what was given is held, and nothing is half', { skip }, async () =>
  // How long a start takes is for the drill to judge, on a machine that has nothing else to do.
  held(await kill({ kills: isLong ? 4 : 2, slowestStartMs: Infinity })),
);

test('a full disk stops new labels, not held ones, and is over when there is room', { skip }, async () =>
  held(await disk({ only: ['full'] })),
);

test(
  'the power goes in the middle of keeping: no half label, no lost one',
  { skip: skip || withoutTrace },
  async () => held(await powerCut({ labels: 2, every: isLong ? 6 : 18 })),
);

test('misbehaving sources under load: everybody gets the truth', { skip }, async () =>
  held(
    await sources({
      clients: isLong ? 60 : 20,
      carsEach: 1,
      together: false,
      // Each has a service of its own.
      behaviours: isLong ? ['none', 'access-denied', 'not-found-page'] : ['access-denied'],
    }),
  ),
);

test('generated requests: no crash, no hang', { skip }, async () =>
  held(await fuzz({ requests: isLong ? 400 : 100, seed: 7 })),
);

test('stalled readers, idle connections and smuggling shapes: others are served', { skip }, async () =>
  held(await clients({ idle: isLong ? 200 : 50, slow: isLong ? 20 : 5, seconds: 0 })),
);

test('files replaced under the service, and a second service on its folder', { skip }, async () =>
  held(await replaced()),
);
