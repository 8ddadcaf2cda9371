import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LabelResponse } from '@monroney/client';
import { readText } from '@monroney/label/read-text';
import { labelCells } from '../../src/tables/sticker-cells.ts';
import { recordedLabels, skip, textOf } from './recorded.ts';

/** The prices of recorded labels as `monroney enrich` writes them into a table. */

test(
  'in every row with a total, the parts add up to it, and no label that adds up lacks one',
  { skip },
  async () => {
    let totals = 0;
    for (const { file, vin } of recordedLabels) {
      const reading = readText(await textOf(file), { vin });
      const row = labelCells(reading as unknown as LabelResponse, { car: null, paint: null });
      const printed = reading.label?.prices.total ?? null;
      assert.equal(row.total, reading.proof?.closes ? printed : null, file);
      if (row.total === null) continue;
      totals++;
      const parts = [row.base, row.options, row.taxes, row.fees, row.destination].map(Number);
      const sum = parts.reduce((all, price) => all + price, 0) - Number(row.discounts);
      assert.equal(sum, row.total, file);
    }
    assert.ok(recordedLabels.length >= 121, String(recordedLabels.length));
    assert.ok(totals >= 100, String(totals));
  },
);
