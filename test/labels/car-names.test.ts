import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { loadVpic } from '@monroney/vin';
import { carName } from '../../src/lib/names.ts';
import { pdfIn } from '../../src/lookup/response-kind.ts';
import { readText } from '../../src/makers/read.ts';
import { extractText } from '../../src/pdf/text.ts';
import { plainText } from '../../src/reading/extracted-text.ts';
import { contradictionOf, printedCar } from '../../src/reading/printed-car.ts';
import type { Label } from '../../src/reading/types.ts';
import { sample, withoutSamples } from '../samples.ts';
import rightNames from './car-names.json' with { type: 'json' };

/** The names that people would give these cars, written down from their labels by eye. */
const names: Record<string, string> = rightNames;

const vpic = loadVpic();

interface RecordedLabel {
  vin: string;
  label: Label | null;
}

async function recordedLabels(): Promise<RecordedLabel[]> {
  const labels: RecordedLabel[] = [];
  for (const folder of ['labels', 'labels-2', 'labels-3']) {
    const path = sample(`samples/${folder}`);
    if (!path) continue;
    for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
      const vin = /^([A-HJ-NPR-Z0-9]{17})\.(?:pdf|txt)$/.exec(basename(file))?.[1];
      if (!vin) continue;
      const bytes = readFileSync(join(path, file));
      const text = file.endsWith('.pdf') ? await extractText(pdfIn(bytes)!) : plainText(bytes.toString());
      const make = vpic.decode(vin).vehicle!.make!;
      labels.push({ vin, label: readText(text, { make, vin }).label });
    }
  }
  return labels;
}

const skip = withoutSamples('samples/labels');
const recorded = skip ? [] : await recordedLabels();

test('every recorded label gives its car the right name', { skip }, () => {
  for (const { vin, label } of recorded)
    assert.equal(carName(vpic.decode(vin).vehicle, label), names[vin], vin);
  assert.equal(recorded.length, Object.keys(names).length);
});

test('no recorded label contradicts its VIN', { skip }, () => {
  for (const { vin, label } of recorded) {
    const { vehicle, otherYear } = vpic.decode(vin);
    assert.equal(contradictionOf(vehicle, otherYear, printedCar(label)), null, vin);
  }
});

test('most labels contradict the VIN of another car', { skip }, () => {
  let found = 0;
  for (const [at, { label }] of recorded.entries()) {
    const { vehicle, otherYear } = vpic.decode(recorded[(at + 7) % recorded.length]!.vin);
    if (contradictionOf(vehicle, otherYear, printedCar(label))) found++;
  }
  assert.ok(found > recorded.length * 0.5, `${found} of ${recorded.length}`);
});
