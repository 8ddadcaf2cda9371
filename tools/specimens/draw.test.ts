import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { extractText } from '../../src/pdf/text.ts';
import { readerVersionOf } from '../../src/makers/read.ts';
import { readDrawn } from '../../test/drawn-label.ts';
import { drawLabel, drawnMakes } from './draw.ts';
import { specimenLabels } from './orders.ts';
import { drawFordPlaceholder, drawStellantisPlaceholder, drawSubaruPlaceholder } from './placeholders.ts';
import { variants } from './variants.ts';

test('every make can be drawn for any VIN, and all but picture labels can be read', async () => {
  assert.ok(drawnMakes.includes('Alfa Romeo'));
  for (const make of drawnMakes) {
    const order = { vin: '1FMUK8DH0TG000000', make };
    if (!readerVersionOf(make)) continue;
    const { paint, proof, vin, label } = await readDrawn(order);
    assert.ok(paint, make);
    assert.equal(vin, order.vin, make);
    assert.equal(proof?.closes, true, make);
    assert.equal(label.year, 2026, make);
  }
});

for (const [name, order] of Object.entries(variants)) {
  test(`${name} reads back as drawn`, async () => {
    const { paint, label, proof } = await readDrawn(order);
    if (order.exterior) assert.equal(paint?.color, order.exterior);
    assert.equal(proof?.closes, true, JSON.stringify(proof));
    assert.equal(label.market, order.market ?? 'US');
    if (order.options) {
      assert.deepEqual(
        label.prices.options.map((option) => [option.name, option.price, option.children]),
        order.options.map((option) => [option.name, option.price, option.children ?? []]),
      );
    }
    assert.deepEqual(
      label.prices.taxes.map((tax) => tax.price),
      (order.taxes ?? []).map((tax) => tax.price),
    );
  });
}

test('drawing is deterministic and gives the committed files', () => {
  for (const order of specimenLabels) {
    const committed = readFileSync(new URL(`../../src/lookup/specimens/${order.vin}.pdf`, import.meta.url));
    assert.ok(drawLabel(order).equals(committed), `${order.vin}: run npm run specimens`);
  }
});

test('placeholders have the size and wording of the real ones, and no VIN', async () => {
  const drawn = [
    [drawFordPlaceholder(), /has not yet been released/, 1_000, 2_000],
    [drawStellantisPlaceholder(), /unable to retrieve a window sticker/, 900, 1_300],
    [drawStellantisPlaceholder(true), /Sorry, a Window Sticker is unavailable/, 900, 1_300],
    [drawSubaruPlaceholder(), /window sticker for the vehicle you selected is not available/, 14_000, 18_000],
  ] as const;
  for (const [pdf, words, minBytes, maxBytes] of drawn) {
    assert.ok(pdf.length >= minBytes && pdf.length <= maxBytes, `${words}: ${pdf.length}`);
    const [page] = (await extractText(pdf)).pages;
    assert.match(page!.items.map((item) => item.text).join(' '), words);
  }
});

test('an unknown make is an error', () => {
  assert.throws(() => drawLabel({ vin: '1FMUK8DH0TG000000', make: 'Honda' }), /No drawing of a Honda label/);
});
