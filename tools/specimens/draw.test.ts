// lane: service
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { extractText } from '@monroney/label/pdf/text';
import { readerVersionOf, readText } from '@monroney/label/read-text';
import { total } from './car.ts';
import { drawLabel, drawnCar, drawnMakes, type LabelOptions } from './draw.ts';
import { specimenLabels } from './orders.ts';

/** Labels that are harder to read than a maker's usual one: other countries, other languages, broken files. */
const variants: Readonly<Record<string, LabelOptions>> = {
  'a French Stellantis label': {
    vin: '1C4RJHBR7TC000000',
    make: 'Jeep',
    market: 'CA',
    language: 'fr',
    exterior: 'GRIS BRUME MÉTALLISÉ',
    interior: 'NOIR',
    engine: 'Moteur 4 cyl. turbo de 2,0 L',
    transmission: 'Boîte automatique 8 vitesses',
    base: 6089500,
    options: [
      {
        name: 'ENSEMBLE REMORQUAGE',
        price: 109500,
        children: ['Attelage de classe IV', 'Faisceau à 7 broches'],
      },
      { name: 'Moteur diesel 6 cyl. de 6,7L', price: 1000000 },
      { name: 'SUPPRESSION DE LA ROUE DE SECOURS', price: -44500 },
    ],
    taxes: [{ name: 'TAXE ACCISE FEDERALE – CLIMATISEUR', price: 10000 }],
    destination: 289500,
    standard: {
      'CARACTÉRISTIQUES INTÉRIEURES': ['Sièges avant chauffants', 'Volant gainé de cuir'],
    },
  },
  'a Canadian GM label': {
    vin: '1G1YB2D43S5000000',
    make: 'Chevrolet',
    year: 2025,
    market: 'CA',
    exterior: 'BLEU RIVIERE PROFONDE METALLISE',
    interior: 'NOIR JAIS',
    discounts: [],
    taxes: [{ name: 'AIR CONDITIONING CHARGE', price: 10000 }],
    fees: [{ name: 'MAXIMUM DEALER FEE', price: 69900 }],
  },
  'a GM label with different equipment under a white rectangle': {
    vin: '1G1YB2D43S5000000',
    make: 'Cadillac',
    year: 2025,
    specimen: true,
  },
  'a GM label with a damaged cross-reference table': {
    vin: '1G1YB2D43S5000000',
    make: 'Buick',
    year: 2025,
    damagedXref: true,
  },
  'a Stellantis label whose options fill both columns': {
    vin: '1C4RJHBR7TC000000',
    make: 'Ram',
    options: [
      {
        name: 'Customer Preferred Package 99Y',
        price: 895500,
        children: Array.from({ length: 30 }, (_, index) => `Detail Number ${index + 1} of the Package`),
      },
      { name: 'Spray–In Bedliner', price: 64500 },
    ],
  },
  'a Ford label with priced options in both columns': {
    vin: '1FMUK8DH0TG000000',
    make: 'Ford',
    exterior: '4 SEASONS WHEELBASE GRAY',
    // The second column lists them beside the prices of the car, line by line.
    options: Array.from({ length: 48 }, (_, index) => ({
      name: `OPTION ${String.fromCharCode(65 + (index % 26))}${index < 26 ? '' : ' DELUXE'}`,
      price: index % 5 === 4 ? null : 10_000 + 500 * index,
    })),
  },
  'a Lincoln label with two discounts': {
    vin: '1FMUK8DH0TG000000',
    make: 'Lincoln',
    discounts: [
      { name: 'FIRST DISCOUNT', price: -200_000 },
      { name: 'SECOND DISCOUNT', price: -50_000 },
    ],
  },
};

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
