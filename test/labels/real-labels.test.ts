import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pdfIn } from '../../src/lookup/body-kind.ts';
import { readText } from '../../src/makers/read.ts';
import { extractText } from '../../src/pdf/text.ts';
import { plainText } from '../../src/reading/plain-text.ts';
import type { LabelText, Reading } from '../../src/reading/types.ts';
import { sample, withoutSamples } from '../samples.ts';

/**
 * Labels of Ford, Kia, Hyundai and Genesis as the manufacturers printed them, against readings that another program
 * made from the same files.
 */
const skip = withoutSamples('samples/labels-2');

interface Row {
  name: string;
  price: number | null;
  children?: string[];
}

interface Right {
  file: string;
  vin: string;
  make: string;
  year: number;
  color: string | null;
  code: string | null;
  interior: string | null;
  base?: number;
  options: Row[];
  discounts: Row[];
  destination?: number;
  total?: number;
}

const rows = (): Right[] =>
  readFileSync(sample('samples/labels-2/readings.jsonl')!, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

async function textOf(file: string): Promise<LabelText> {
  const bytes = readFileSync(sample(`samples/${file}`)!);
  return file.endsWith('.pdf') ? extractText(pdfIn(bytes)!) : plainText(bytes.toString('utf8'));
}

/** Only what the other program recorded is compared: it left out the children of Kia's and Hyundai's options. */
function compare(right: Right, { label, paint, proof }: Reading): void {
  assert.ok(label && proof, right.vin);
  assert.deepEqual(paint, { color: right.color, code: right.code }, right.vin);
  assert.deepEqual([label.year, label.interior], [right.year, right.interior], right.vin);
  const equipment = label.standard.flatMap(({ items }) => items);
  // The figures of the fuel economy box are close to the last column.
  assert.ok(
    !equipment.some((item) => /^[$\d.,% ]+$|^(?:TM|®)$/.test(item)),
    `${right.vin} ${equipment.join()}`,
  );
  const { base, options, discounts, destination, total, taxes, fees } = label.prices;
  if (right.total == null) {
    // A warning sheet for a truck that needs no label: no prices, so nothing on it is an option.
    assert.deepEqual([base, options, destination, total], [null, [], null, null], right.vin);
    return;
  }
  assert.deepEqual(
    { base, destination, total },
    { base: right.base, destination: right.destination, total: right.total },
    right.vin,
  );
  assert.deepEqual([taxes, fees], [[], []], right.vin);
  const bare = (lines: Row[]): Row[] => lines.map(({ name, price }) => ({ name, price }));
  assert.deepEqual(bare(options), bare(right.options), right.vin);
  assert.deepEqual(bare(discounts), bare(right.discounts), right.vin);
  right.options.forEach(({ name, children }, index) => {
    if (children) assert.deepEqual(options[index]!.children, children, `${right.vin} ${name}`);
    else if (right.make === 'Ford') assert.deepEqual(options[index]!.children, [], `${right.vin} ${name}`);
  });
  assert.equal(proof.closes, true, right.vin);
  assert.notEqual(proof.options?.closes, false, right.vin);
}

test('every real Ford, Kia, Hyundai and Genesis label is read exactly', { skip }, async () => {
  const all = rows();
  assert.ok(all.length >= 34);
  for (const right of all) {
    const text = await textOf(right.file);
    compare(right, readText(text, { make: right.make, vin: right.vin }));
    const unknown = readText(text);
    assert.equal(unknown.vin, right.vin);
    compare(right, unknown);
  }
});
