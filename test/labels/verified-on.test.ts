import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { makesOf, sources, verifiedOn } from '../../src/makers/index.ts';
import { vpic } from '../decoder.ts';
import { sample, withoutSamples } from '../samples.ts';

/** What we publish about the tests of each reader must follow from the labels that the tests read. */

const skip = withoutSamples('samples/labels');

test('each make counts the real labels that its reader is tested on', { skip }, () => {
  const samples = dirname(sample('samples/labels')!);
  const folders = readdirSync(samples).filter((name) => name.startsWith('labels'));
  const files = folders.flatMap((name) => readdirSync(`${samples}/${name}`, { recursive: true }).map(String));
  const vins = new Set(files.flatMap((file) => /([A-HJ-NPR-Z0-9]{17})\.(?:pdf|txt)$/.exec(file)?.[1] ?? []));
  const labels = Map.groupBy(vins, (vin) => vpic.decode(vin).vehicle?.make ?? '');
  const readable = makesOf(sources.filter(({ reader }) => reader));
  assert.deepEqual(
    Object.fromEntries(readable.map((make) => [make, verifiedOn(make)])),
    Object.fromEntries(readable.map((make) => [make, labels.get(make.toUpperCase())?.length ?? 0])),
  );
});
