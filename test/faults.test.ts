// lane: drill
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DrillResult } from '../tools/drill/drill.ts';
import { run as kill } from '../tools/drill/kill.ts';
import { run as powerCut, withoutTrace } from '../tools/drill/power-cut.ts';
import { isLong } from './size.ts';

/** Short versions of `npm run drill`, with real processes and real signals. */

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
  'a power cut during a write leaves no partial label and loses no acknowledged one',
  { skip: skip || withoutTrace },
  async () => assertPassed(await powerCut({ labels: 2, every: isLong ? 6 : 18 })),
);
