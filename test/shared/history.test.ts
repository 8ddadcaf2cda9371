import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../tools/drill/history.ts';
import { withoutServers } from './servers.ts';

void test(
  'three instances with random network faults: no label is lost, changed or reported as missing',
  { skip: withoutServers() },
  async () => {
    const { failures, figures } = await run({
      seconds: 15,
      seed: Number(process.env.SEED ?? 1),
      judgesFetches: false,
    });
    assert.deepEqual(failures, [], JSON.stringify(figures));
    assert.ok(Number(figures.labels) > 0, JSON.stringify(figures));
  },
);
