import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../tools/drill/shared-kill.ts';
import { withoutServers } from './servers.ts';

/** A few seconds of `npm run drill -- shared-kill --minutes 5`. */

void test(
  'four instances killed at random under load: no label is lost or partial, and no response is wrong',
  { skip: withoutServers() },
  async () => {
    const { ok, failures, figures } = await run({ minutes: 0.2 });
    assert.ok(ok, failures.join('\n'));
    assert.ok(Number(figures.kills) > 0 && Number(figures.bodiesChecked) > 0, JSON.stringify(figures));
  },
);
