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

/** Short versions of `npm run drill`, with real processes, real signals and, if the machine permits, a small disk. */

const skip = process.platform === 'linux' ? false : 'skipped: needs /proc';

function assertPassed({ ok, failures, figures }: DrillResult): void {
  assert.ok(ok, `${failures.join('\n')}\n${JSON.stringify(figures)}`);
}

test(
  'kill -9 during fetches and writes loses no served label and leaves no partial one',
  { skip },
  async () =>
    // Only the full drill checks the start time, on an otherwise idle machine.
    assertPassed(await kill({ kills: isLong ? 4 : 2 })),
);

test(
  'a full disk stops new labels but not stored ones, and the service recovers when space is freed',
  { skip },
  async () => assertPassed(await disk({ only: ['full'] })),
);

test(
  'a power cut during a write leaves no partial label and loses no acknowledged one',
  { skip: skip || withoutTrace },
  async () => assertPassed(await powerCut({ labels: 2, every: isLong ? 6 : 18 })),
);

test('misbehaving sources under load never cause a wrong response', { skip }, async () =>
  assertPassed(
    await sources({
      clients: isLong ? 60 : 20,
      carsEach: 1,
      together: false,
      // Each starts its own service.
      behaviors: isLong ? ['none', 'access-denied', 'not-found-page'] : ['access-denied'],
    }),
  ),
);

test('generated requests cause no crash and no hang', { skip }, async () =>
  assertPassed(await fuzz({ requests: isLong ? 400 : 100, seed: 7 })),
);

test(
  'stalled readers, idle connections and smuggling attempts do not affect other clients',
  { skip },
  async () => assertPassed(await clients({ idle: isLong ? 200 : 50, slow: isLong ? 20 : 5, seconds: 0 })),
);

test(
  'the service survives replaced files, and a second service refuses to share its folder',
  { skip },
  async () => assertPassed(await replaced()),
);
