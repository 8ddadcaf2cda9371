// lane: service
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { extractText } from '@monroney/label/pdf/text';
import { readerVersionOf, readText } from '@monroney/label/read-text';
import { total } from './car.ts';
import { drawLabel, drawnCar, drawnMakes, type LabelOptions } from './draw.ts';
import { specimenLabels } from './orders.ts';
import { variants } from './variants.ts';

const drawnLabels: Record<string, LabelOptions> = {
  ...Object.fromEntries(
    drawnMakes
      .filter((make) => readerVersionOf(make))
      .map((make) => [`the ${make} label`, { vin: '1FMUK8DH0TG000000', make }]),
  ),
  ...variants,
};

for (const [name, order] of Object.entries(drawnLabels)) {
  test(`${name} reads back as drawn`, async () => {
    const text = await extractText(drawLabel(order));
    const words = text.pages[0]!.items.map((item) => item.text).join(' ');
    const car = drawnCar(order);
    const reading = readText(text, { make: order.make });
    const { label, proof } = reading;
    assert.ok(label, reading.reason ?? name);
    const where = JSON.stringify(proof);
    /** What a maker doesn't print can't be read. */
    const ifPrinted = (value: string): string | null => (value && words.includes(value) ? value : null);
    assert.equal(proof?.closes, true, where);
    assert.ok(label.model?.includes(car.model), label.model ?? 'no model');
    assert.deepEqual(
      {
        vin: reading.vin,
        make: label.make,
        year: label.year,
        market: label.market,
        paint: reading.paint,
        interior: label.interior,
        engine: label.engine,
        transmission: label.transmission,
        assembly: label.assembly,
        dealer: label.delivery.dealer?.name ?? null,
      },
      {
        vin: car.vin,
        make: car.make,
        year: car.year,
        market: car.market,
        paint: { color: car.exterior, code: car.paintCode },
        interior: ifPrinted(car.interior),
        engine: ifPrinted(car.engine),
        transmission: ifPrinted(car.transmission),
        assembly: car.assembly,
        dealer: ifPrinted(`EXAMPLE ${car.make.toUpperCase()}`),
      },
    );
    const { base, options, discounts, taxes, fees, destination } = car;
    assert.deepEqual(
      {
        base: label.prices.base,
        options: label.prices.options.map((line) => [line.code, line.name, line.price, line.children]),
        discounts: charges(label.prices.discounts),
        taxes: charges(label.prices.taxes),
        fees: charges(label.prices.fees),
        destination: label.prices.destination,
        total: label.prices.total,
      },
      {
        base,
        // An option at no charge has no price.
        options: options.map((line) => [
          line.code?.replace('.', ''),
          line.name.replace(/^\./, ''),
          line.price || null,
          line.children ?? [],
        ]),
        discounts: charges(discounts),
        taxes: charges(taxes),
        fees: charges(fees),
        destination,
        total: total(car),
      },
      where,
    );
    // A warranty is in a field of its own.
    const standard = Object.entries(car.standard).flatMap(([section, items]) => {
      const others = items.filter((item) => !label.warranty?.includes(item));
      return others.length > 0 ? [{ section, items: others }] : [];
    });
    // Kia also lists what the trim adds, after it.
    assert.deepEqual(label.standard.slice(0, standard.length), standard);
    if (car.market === 'US' && words.includes('MPG'))
      assert.partialDeepStrictEqual(label.fuelEconomy, { city: car.city, highway: car.highway });
  });
}

/** Canadian labels repeat a name in French, after a slash. */
const charges = (lines: readonly { name: string; price: number | null }[]) =>
  lines.map(({ name, price }) => [name.split('/')[0]!.trim(), price]);

test('drawing is deterministic and gives the committed files', () => {
  for (const order of specimenLabels) {
    const committed = readFileSync(new URL(`../../src/lookup/specimens/${order.vin}.pdf`, import.meta.url));
    assert.ok(drawLabel(order).equals(committed), `${order.vin}: run npm run specimens`);
  }
});

test('an unknown make is an error', () => {
  assert.throws(() => drawLabel({ vin: '1FMUK8DH0TG000000', make: 'Honda' }), /No drawing of a Honda label/);
});
