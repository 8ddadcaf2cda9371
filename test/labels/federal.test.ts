import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readText } from '@monroney/label/read-text';
import type { Label } from '@monroney/label/reading/types';
import { withoutSamples } from '../samples.ts';
import { recordedLabels, rowsOf, skip, textOf } from './recorded.ts';

/** What people read on pictures of real labels, recorded before there was a reader. */
type Facts = Partial<
  Pick<Label, 'fuelEconomy' | 'safety' | 'parts' | 'assembly' | 'portOfEntry' | 'warranty'>
>;
const facts: Record<string, Facts> = JSON.parse(
  readFileSync(new URL('federal-facts.json', import.meta.url), 'utf8'),
);

const labelOf = async (vin: string) => {
  const { file } = recordedLabels.find((recorded) => recorded.vin === vin && recorded.file.endsWith('.pdf'))!;
  return readText(await textOf(file), { vin }).label;
};

test('the federal boxes agree with what people read on the picture', { skip }, async () => {
  for (const [vin, expectedFacts] of Object.entries(facts)) {
    const label = await labelOf(vin);
    assert.ok(label, vin);
    for (const [field, expected] of Object.entries(expectedFacts))
      assert.deepEqual(label[field as keyof Facts] ?? null, expected, `${vin} ${field}`);
  }
});

interface Other {
  vin: string;
  combined?: number;
  city?: number;
  highway?: number;
  per100?: number;
  co2?: number;
  annualFuelCost?: number;
  fiveYear?: number;
  saves?: boolean;
  greenhouse?: number;
  smog?: number;
  combinedBoth?: [number, number];
}

test(
  'the numbers agree with those of another extractor',
  { skip: withoutSamples('samples/federal.jsonl') },
  async () => {
    for (const { vin, ...other } of rowsOf<Other>('federal.jsonl')) {
      const fuel = (await labelOf(vin))?.fuelEconomy;
      assert.ok(fuel, vin);
      const { fiveYearCost } = fuel;
      assert.partialDeepStrictEqual(
        {
          ...fuel,
          annualFuelCost: fuel.annualFuelCost! / 100,
          fiveYear: fiveYearCost === null ? null : Math.abs(fiveYearCost) / 100,
          saves: fiveYearCost === null ? null : fiveYearCost < 0,
          greenhouse: fuel.greenhouseRating,
          smog: fuel.smogRating,
          combinedBoth: [fuel.combined, fuel.electric?.combined],
        },
        other,
        vin,
      );
    }
  },
);
