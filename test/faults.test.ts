// lane: drill
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run as powerCut, withoutTrace } from '../tools/drill/power-cut.ts';
import { isLong } from './size.ts';

test(
  'a power cut during a write leaves no partial label and loses no acknowledged one',
  { skip: withoutTrace },
  async () => {
    const { failures } = await powerCut({ labels: 2, every: isLong ? 6 : 18 });
    assert.deepEqual(failures, []);
  },
);
