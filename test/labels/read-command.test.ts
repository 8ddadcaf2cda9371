import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { monroney } from '../command.ts';
import { sample, withoutSamples } from '../samples.ts';

interface Line {
  file: string;
  vin: string | null;
  make: string | null;
  paint: { color: string; code: string | null } | null;
  error?: string;
}

test(
  'monroney read finds the color, paint code, make and VIN of every sample',
  { skip: withoutSamples('samples/labels') },
  async () => {
    const result = await monroney(['read', sample('samples/labels')!]);
    const lines = new Map(result.lines<Line>().map((line) => [line.file.split('samples/')[1], line]));
    const rows = readFileSync(sample('samples/labels/expected.jsonl')!, 'utf8').trim().split('\n');
    for (const row of rows) {
      const { file, vin, make, color, code } = JSON.parse(row) as Record<string, string>;
      const line = lines.get(file)!;
      assert.equal(line.error, undefined, file);
      assert.deepEqual(
        [line.vin, line.make, line.paint?.color ?? null, line.paint?.code ?? null],
        [vin, make, color, code],
      );
    }
  },
);
