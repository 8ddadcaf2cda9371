import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from '@monroney/label/read-text';
import type { Reading } from '@monroney/label/reading/types';
import { isLong } from '../size.ts';
import { skip, carOf, readEdited, removeItems, replaceText, factsOf } from './edited-labels.ts';

/** Labels that the samples don't show, see edited-labels.ts. `variants-ford.test.ts` has those of Ford. */

const F150 = 'labels-2/ford/1FTFW3LD5SFB91830.pdf';
const TACOMA = 'labels-3/toyota/3TMLB5JN9SM171554.pdf';
const MACH_E = 'labels-2/ford/3FMTK3R72SMA57045.pdf';

/** The facts that a reader could take from adjacent text, by name. */
function hardFacts({ label }: Reading): Map<string, unknown> {
  if (!label) return new Map();
  const { exterior, interior, engine, transmission, assembly, prices, fuelEconomy, safety } = label;
  const { base, destination, total } = prices;
  const { dealer, orderNumber, transport } = label.delivery;
  const fuel = { ...fuelEconomy, ...fuelEconomy?.electric, ...safety };
  const facts = {
    color: exterior?.color,
    interior,
    engine,
    transmission,
    assembly,
    base,
    destination,
    total,
    nameplate: label.nameplate,
    model: label.model,
    wheelbase: label.wheelbase,
    created: label.created,
    orderNumber,
    transport,
    dealer: dealer?.name,
    street: dealer?.street,
    town: dealer?.city,
    zip: dealer?.zip,
    dealerCode: dealer?.code,
  };
  return new Map(Object.entries({ ...fuel, ...facts }).filter(([, value]) => value ?? false));
}

test('if a run of text is missing, its fact is missing too and never replaced', { skip }, async () => {
  for (const path of [
    F150,
    'labels/cadillac/1G6DG5RK3S0116409.pdf',
    'labels/jeep/1C4RJHBR4TC236328.pdf',
    'labels-2/kia/5XYP3DGC5RG418753.pdf',
    'labels-2/hyundai/KM8RGES22TU026011.pdf',
    TACOMA,
  ]) {
    const car = await carOf(path);
    const before = hardFacts(car.reading);
    const [page] = car.text.pages;
    const listed = JSON.stringify([car.label.standard, car.label.prices.options]);
    for (const item of page!.items) {
      const text = item.text.trim();
      // Equipment has no adjacent text that a fact could be taken from.
      if (text === '' || (text.length > 12 && listed.includes(text))) continue;
      const items = page!.items.filter((other) => other !== item);
      const after = hardFacts(readText({ ...car.text, pages: [{ ...page!, items }] }, { vin: car.vin }));
      for (const [name, value] of after) {
        const previous = before.get(name);
        const isPart = typeof previous === 'string' && typeof value === 'string' && previous.includes(value);
        if (value !== previous && !isPart && typeof value !== 'object')
          assert.fail(
            `${car.vin} without "${text}": ${name} is ${JSON.stringify(value)}, not ${JSON.stringify(previous)}`,
          );
      }
    }
  }
});

const KIA = 'labels-2/kia/5XYP3DGC5RG418753.pdf';
const HYUNDAI = 'labels-2/hyundai/KM8RGES22TU026011.pdf';
const ESCAPE = 'labels-2/ford/1FMCU0E15RUA50610.pdf';

test('Kia and Hyundai: a car without options has none, and its prices add up', { skip }, async () => {
  for (const [path, heading] of [
    [KIA, 'ADDITIONAL INSTALLED EQUIPMENT:'],
    [HYUNDAI, 'ADDED FEATURES:'],
  ] as const) {
    const car = await carOf(path);
    const names = car.label.prices.options.flatMap(({ name, children }) => [name, ...children]);
    const rows = car.text.pages[0]!.items.filter((item) =>
      names.some((name) =>
        item.text
          .replace(/^[*\s-]+/, '')
          .trim()
          .startsWith(name.slice(0, 12)),
      ),
    );
    const { base, subtotal, destination, total } = car.label.prices;
    const money = (cents: number) => (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
    const { label, proof } = readEdited(
      car,
      removeItems(
        (item) =>
          item.x > 300 &&
          item.x < 700 &&
          rows.some((row) => Math.abs(row.y - item.y) < 2 && row.x > 300 && row.x < 700),
      ),
      replaceText(money(total!), money(base! + destination!)),
      replaceText(money(subtotal ?? total!), money(base!)),
    );
    assert.deepEqual(label.prices.options, [], heading);
    assert.equal(proof?.closes, true, heading);
    // The paint's code is printed only in its priced line.
    assert.equal(label.exterior?.color, car.label.exterior?.color);
    assert.deepEqual(factsOf(label, 'prices', 'exterior'), factsOf(car.label, 'prices', 'exterior'), heading);
  }
});

test('the fuel economy box of an electric car has the same reading on other labels', { skip }, async () => {
  for (const donor of [MACH_E, ESCAPE]) {
    const donorCar = await carOf(donor);
    const [from] = donorCar.text.pages;
    const isBox = ({ x, y }: { x: number; y: number }) => x > 680 && y > 45 && y < 372;
    for (const path of [KIA, HYUNDAI]) {
      const car = await carOf(path);
      const [page] = car.text.pages;
      const isOld = ({ x, y }: { x: number; y: number }) => x > 695 && y < 460;
      const down = (thing: { y: number }) => ({ ...thing, y: thing.y + 80 });
      const mixed = {
        ...page!,
        items: [
          ...page!.items.filter((item) => !isOld(item)),
          ...from!.items.filter(isBox).map((item) => ({ ...item, ...down(item) })),
        ],
        shapes: [
          ...(page!.shapes ?? []).filter((shape) => !isOld(shape)),
          ...(from!.shapes ?? []).filter(isBox).map((shape) => ({ ...shape, ...down(shape) })),
        ],
      };
      const { label } = readText({ ...car.text, pages: [mixed] }, { vin: car.vin });
      assert.deepEqual(
        label?.fuelEconomy,
        donorCar.label.fuelEconomy,
        `${car.vin} with ${donorCar.vin}'s box`,
      );
      assert.deepEqual(label?.prices.total, car.label.prices.total);
    }
  }
});

/** Words that a dealer, a port or a program may put on a label, and figures of a neighboring box. */
const FOREIGN = ['FLEET SPECIAL', 'HOUSTON, TX', '1,234.00', 'DEMO', '7'];

test('foreign words beside, over or under a fact never become part of it', { skip }, async () => {
  let turn = 0;
  for (const path of [
    F150,
    MACH_E,
    'labels/cadillac/1G6DS5RW4S0106781.pdf',
    'labels/chevrolet/1G1FK1R66K0153382.pdf',
    'labels/dodge/2C3CDXL96LH151255.pdf',
    KIA,
    HYUNDAI,
    TACOMA,
  ]) {
    const car = await carOf(path);
    const before = hardFacts(car.reading);
    const [page] = car.text.pages;
    const values = ['exterior', 'interior', 'engine', 'transmission', 'assembly'].flatMap(
      (field) => car.label.places[field] ?? [],
    );
    const facts = page!.items.filter(({ text, x, y }) =>
      values.some(
        (box) =>
          text.trim() !== '' &&
          y > box.y &&
          y < box.y + box.height &&
          x >= box.x - 1 &&
          x < box.x + box.width,
      ),
    );
    assert.ok(facts.length >= 2, car.vin);
    for (const { x, y, width, size } of facts)
      for (const [dx, dy] of [
        [width + 0.6 * size, 0],
        [width + 1.5 * size, 0],
        [0, 0.45 * size],
        [2 * size, -0.3 * size],
        [0, 0.75 * size],
      ] as const)
        for (const words of isLong ? FOREIGN : [FOREIGN[turn++ % FOREIGN.length]!]) {
          const run = { text: words, x: x + dx, y: y + dy, width: words.length * size * 0.55, size };
          // Where it touches the next word, nothing tells it from a part of that word.
          const touches = page!.items.some(
            (item) =>
              item.text.trim() !== '' &&
              Math.abs(item.y - run.y) < size / 2 &&
              Math.abs(item.x - run.x - run.width) < size / 2,
          );
          if (touches) continue;
          const text = { ...car.text, pages: [{ ...page!, items: [...page!.items, run] }] };
          for (const [name, value] of hardFacts(readText(text, { vin: car.vin })))
            if (typeof value !== 'object')
              assert.equal(value, before.get(name), `${car.vin}: ${name} with ${words} at ${dx}, ${dy}`);
        }
  }
});
