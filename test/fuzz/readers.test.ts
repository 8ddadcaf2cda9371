// lane: drill
import { labelKind } from '../../src/makers/maker.ts';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sources } from '../../src/makers/index.ts';
import type { Recipe } from '../../tools/drill/fuzz-recipes.ts';
import { run, tryRecipe } from '../../tools/drill/fuzz-readers.ts';
import { isLong } from '../size.ts';

const corpus = new URL('corpus/', import.meta.url);
for (const name of readdirSync(corpus)) {
  test(`input that once took seconds is now fast: ${name}`, async () => {
    const recipe = JSON.parse(readFileSync(new URL(name, corpus), 'utf8')) as Recipe;
    assert.equal(await tryRecipe(recipe), null);
  });
}

test('generated label texts are judged and read quickly', async () => {
  const { failures, figures } = await run({ minutes: isLong ? 0.5 : 0.01, seed: 1 });
  assert.deepEqual(failures, []);
  assert.ok(Number(figures['tried']) > 0);
});

/** What readers look for, as runs of text. */
const ANCHORS = (
  'Base Price: $1|Exterior Color:|EXTERIOR:|EXTERIOR|INTERIOR:|STANDARD EQUIPMENT|STANDARD VEHICLE PRICE|' +
  'OPTIONS & PRICING|OPTIONAL EQUIPMENT|TOTAL VEHICLE PRICE* $2|PRICE INFORMATION|VEHICLE DESCRIPTION|ADDED FEATURES:|' +
  "Destination Charge|MODEL/OPT.CODE:|DESC.:|CLR:|BASE MANUFACTURER'S SUGGESTED RETAIL PRICE $1|" +
  "MANUFACTURER'S SUGGESTED RETAIL PRICE|DELIVERY, PROCESSING AND HANDLING FEE|TOTAL SUGGESTED RETAIL PRICE $2|" +
  '2T.|- ITEM|and more|2026 MODEL YEAR|2|$1,000.00|1,000.00|-|NO CHARGE'
).split('|');

const flood = (units: string[], more: Partial<Recipe['flood']>): Recipe['flood'] => ({
  units,
  from: 0,
  x: 0,
  y: 0,
  gap: 0,
  each: true,
  ...more,
});

const PAGES: Record<string, Recipe['flood']> = {
  'anchors in one spot': flood(ANCHORS, { x: 0.001 }),
  'anchors in a row': flood(ANCHORS, { x: 200 }),
  'anchors in a column': flood(ANCHORS, { x: 0.001, y: 10 }),
  'anchors all over the page': flood(ANCHORS, { x: 1.2, y: 0.9 }),
  'prices in a column': flood(['Base Price: $1', ...Array.from({ length: 40 }, () => '$1,000.00')], { y: 3 }),
  'tiny type': flood(['EXTERIOR: RED 1,000.00'], { x: 1, y: 1, size: 1e-9 }),
  'huge type': flood(['EXTERIOR: RED 1,000.00'], { x: 1, y: 1, size: Number.MAX_SAFE_INTEGER }),
  ...Object.fromEntries(
    [
      'EXTERIOR: ',
      'INTERIOR ',
      '/ ',
      '( ',
      '[',
      '1, ',
      '1,000',
      '$',
      '- ',
      '. ',
      'A ',
      ': ',
      'w/ ',
      'VIN',
    ].map((piece) => [`a line of ${piece}`, flood([piece.repeat(2000 / piece.length)], {})]),
  ),
};

test('no page of anchors, prices or long lines makes a reader slow', async () => {
  const readable = sources.filter((source) => labelKind(source) === 'text');
  for (const [turn, [name, page]] of Object.entries(PAGES).entries())
    for (const { id } of isLong ? readable : [readable[turn % readable.length]!]) {
      const recipe: Recipe = { source: id, bare: true, edits: [], flood: page };
      assert.equal(await tryRecipe(recipe), null, `${name}, ${id}`);
    }
});
