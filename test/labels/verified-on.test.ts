import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifiedOn } from '@monroney/label/makers/index';
import { makesOf, sources } from '../../src/makers/index.ts';
import { labelKind } from '../../src/makers/maker.ts';
import { vpic } from '../decoder.ts';
import { recordedLabels, skip } from './recorded.ts';

/** What we publish about the tests of each reader must follow from the labels that the tests read. */

test('each make counts the real labels that its reader is tested on', { skip }, () => {
  const vins = new Set(recordedLabels.map(({ vin }) => vin));
  const labels = Map.groupBy(vins, (vin) => vpic.decode(vin).vehicle?.make ?? '');
  const readable = makesOf(sources.filter((source) => labelKind(source) === 'text'));
  assert.deepEqual(
    Object.fromEntries(readable.map((make) => [make, verifiedOn(make)])),
    Object.fromEntries(readable.map((make) => [make, labels.get(make.toUpperCase())?.length ?? 0])),
  );
});
