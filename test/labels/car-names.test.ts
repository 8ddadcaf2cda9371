import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadVpic } from '@monroney/vin';
import { carName } from '@monroney/label/lib/names';
import { readText } from '@monroney/label/read-text';
import { contradictionOf, printedCar } from '@monroney/label/reading/printed-car';
import type { Label } from '@monroney/label/reading/types';
import rightNames from './car-names.json' with { type: 'json' };
import { recordedLabels, skip, textOf } from './recorded.ts';

/** The names that people would give these cars, written down from their labels by eye. */
const names: Record<string, string> = rightNames;

const vpic = loadVpic();

const recorded: { vin: string; label: Label | null }[] = [];
for (const { file, vin } of recordedLabels) {
  const make = vpic.decode(vin).vehicle!.make!;
  recorded.push({ vin, label: readText(await textOf(file), { make, vin }).label });
}

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
