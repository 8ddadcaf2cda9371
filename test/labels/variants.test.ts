import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pdfIn } from '../../src/lookup/body-kind.ts';
import { readText } from '../../src/makers/read.ts';
import { extractText } from '../../src/pdf/text.ts';
import type { Label, LabelText, Reading, TextItem } from '../../src/reading/types.ts';
import { sample, withoutSamples } from '../samples.ts';
import { isLong } from '../size.ts';

/**
 * Labels that the samples don't show, made by editing the positioned text of one that they do: other equipment, other
 * words for no charge, boxes that are missing. Everything that was not edited must be read as before.
 */

const skip = withoutSamples('samples/labels-2');

interface Car {
  vin: string;
  text: LabelText;
  reading: Reading;
  label: Label;
}

async function carOf(path: string): Promise<Car> {
  const vin = /([^/]+)\.pdf$/.exec(path)![1]!;
  const text = await extractText(pdfIn(readFileSync(sample(path)!))!);
  const reading = readText(text, { vin });
  return { vin, text, reading, label: reading.label! };
}

type Edit = (items: TextItem[]) => TextItem[];

function readEdited({ vin, text }: Car, ...edits: Edit[]): Reading & { label: Label } {
  const [page] = text.pages;
  const items = edits.reduce((before, edit) => edit(before), page!.items);
  const reading = readText({ ...text, pages: [{ ...page!, items }] }, { vin });
  assert.ok(reading.label, `${vin}: ${String(reading.reason)}`);
  return { ...reading, label: reading.label };
}

const hasText = (text: string) => (item: TextItem) => item.text.trim() === text;
const removeItems =
  (test: (item: TextItem) => boolean): Edit =>
  (items) =>
    items.filter((item) => !test(item));
const replaceText =
  (from: string | RegExp, to: string): Edit =>
  (items) =>
    items.map((item) => ({ ...item, text: item.text.replace(from, to) }));
/** A copy of the item with other words, `rows` lines below it. */
const addBelow =
  (like: string, words: string, rows = 1, dx = 0): Edit =>
  (items) => {
    const model = items.find(hasText(like));
    assert.ok(model, like);
    const width = (model.width * words.length) / like.length;
    return [...items, { ...model, text: words, x: model.x + dx, y: model.y + rows * 9.15, width }];
  };

/** The facts that must not change, without their positions. */
function factsOf({ places: _places, ...label }: Label, ...except: (keyof Label)[]): object {
  const lines = (list: Label['prices']['fees']) => list.map(({ at: _at, ...line }) => line);
  const { prices } = label;
  const facts = {
    ...label,
    prices: {
      ...prices,
      options: lines(prices.options),
      discounts: lines(prices.discounts),
      taxes: lines(prices.taxes),
      fees: lines(prices.fees),
    },
  };
  return Object.fromEntries(
    Object.entries(facts).filter(([field]) => !except.includes(field as keyof Label)),
  );
}

const F150 = 'samples/labels-2/ford/1FTFW3LD5SFB91830.pdf';
const MACH_E = 'samples/labels-2/ford/3FMTK3R72SMA57045.pdf';
const MUSTANG = 'samples/labels-2/ford/1FA6P8TH7S5131217.pdf';

test('Ford: other words for "no charge" do not change the options', { skip }, async () => {
  const car = await carOf(F150);
  for (const words of ['INCLUDED', 'N/C', 'INC.', 'STD']) {
    const { label, proof } = readEdited(car, replaceText('NO CHARGE', words));
    assert.deepEqual(factsOf(label), factsOf(car.label), words);
    assert.equal(proof?.closes, true, words);
  }
});

test('Ford: a label without the federal boxes keeps everything else', { skip }, async () => {
  const car = await carOf(F150);
  const { label } = readEdited(
    car,
    removeItems(({ x }) => x > 680),
  );
  assert.deepEqual(
    factsOf(label, 'fuelEconomy', 'safety', 'parts'),
    factsOf(car.label, 'fuelEconomy', 'safety', 'parts'),
  );
  assert.equal(label.fuelEconomy, null);
});

test('Ford: without an interior or a transmission, only that fact is missing', { skip }, async () => {
  const car = await carOf(F150);
  const withoutInterior = readEdited(
    car,
    removeItems(hasText('INTERIOR')),
    removeItems(hasText(car.label.interior!)),
  ).label;
  // The heading of the equipment has the same name and stays; without a color under it there is no interior.
  assert.deepEqual(
    factsOf(withoutInterior, 'interior', 'standard'),
    factsOf(car.label, 'interior', 'standard'),
  );
  assert.equal(withoutInterior.interior, null);
  const withoutTransmission = readEdited(car, removeItems(hasText(car.label.transmission!))).label;
  assert.deepEqual(factsOf(withoutTransmission), factsOf({ ...car.label, transmission: null }));
});

test('Ford: a second line about the body is neither engine nor transmission', { skip }, async () => {
  for (const path of [F150, MUSTANG]) {
    const car = await carOf(path);
    const { label } = readEdited(
      car,
      (items) =>
        items.map((item) =>
          item.y < 130 && [car.label.engine, car.label.transmission].includes(item.text.trim())
            ? { ...item, y: item.y + 9 }
            : item,
        ),
      (items) => {
        const engine = items.find(hasText(car.label.engine!))!;
        return [...items, { ...engine, text: 'LONG BED, DUAL REAR WHEELS', y: engine.y - 9 }];
      },
    );
    assert.deepEqual(factsOf(label), factsOf(car.label), car.vin);
  }
});

test('Ford: a line after the engine that is not a transmission is not read as one', { skip }, async () => {
  const car = await carOf(F150);
  const { label } = readEdited(
    car,
    replaceText(new RegExp(`^${car.label.transmission!}$`), 'ZERO EMISSIONS VEHICLE'),
  );
  assert.deepEqual(factsOf(label), factsOf({ ...car.label, transmission: null }));
});

test('Ford: options that continue in the second column are read the same', { skip }, async () => {
  const car = await carOf(F150);
  const heading = car.text.pages[0]!.items.find(hasText('OPTIONAL EQUIPMENT/OTHER'))!;
  for (const row of [4, 5, 7, 9]) {
    const from = heading.y + row * 9.15 - 4;
    const { label, proof } = readEdited(car, (items) =>
      items.map((item) =>
        item.x < 250 && item.y > from && item.y < 610
          ? { ...item, x: item.x + 212, y: item.y - from + 338 }
          : item,
      ),
    );
    assert.deepEqual(factsOf(label), factsOf(car.label), `from option ${row} on`);
    assert.equal(proof?.options?.closes, true);
  }
});

test('Ford: taxes, fees and discounts in other words are recognized', { skip }, async () => {
  const car = await carOf(F150);
  const last = 'STANDARD FUEL TANK';
  const amount = (words: string, dx: number, rows = 1) => addBelow(last, words, rows, dx);
  const { label } = readEdited(
    car,
    addBelow(last, '*** GAS GUZZLER TAX ***'),
    amount('1,300.00', 170),
    addBelow(last, 'EQUIPMENT GROUP SAVINGS', 2),
    amount('- 1,000.00', 165, 2),
    addBelow(last, 'TAILGATE DELETE', 3),
    amount('-', 165, 3),
    amount('85.00', 180, 3),
  );
  assert.deepEqual(
    label.prices.taxes.map(({ name, price }) => [name, price]),
    [['*** GAS GUZZLER TAX ***', 130_000]],
  );
  assert.deepEqual(label.prices.discounts[0]?.price, -100_000);
  assert.deepEqual(
    label.prices.options.slice(-2).map(({ name, price }) => [name, price]),
    [
      [last, null],
      ['TAILGATE DELETE', -8_500],
    ],
  );
});

test('Ford: amounts without a comma or with a dollar sign are the same amounts', { skip }, async () => {
  const car = await carOf(F150);
  const isMoney = /^\$?(\d{1,3}),(\d{3}\.\d{2})$/;
  for (const shape of ['$1$2', '$$$1,$2']) {
    const { label, proof } = readEdited(car, (items) =>
      items.map((item) => ({ ...item, text: item.x < 680 ? item.text.replace(isMoney, shape) : item.text })),
    );
    if (shape === '$1$2') assert.equal(label.prices.base, car.label.prices.base);
    assert.deepEqual(
      label.prices.options.map(({ price }) => price),
      car.label.prices.options.map(({ price }) => price),
    );
    assert.equal(proof?.options?.closes, true);
  }
});

test('Ford: a chassis without paint keeps everything else', { skip }, async () => {
  const car = await carOf(F150);
  const heading = (item: TextItem) => item.text.trim() === 'EXTERIOR' && item.y < 130;
  const { label, paint } = readEdited(
    car,
    removeItems(heading),
    removeItems(hasText(car.label.exterior!.color)),
  );
  assert.deepEqual(factsOf(label, 'exterior'), factsOf(car.label, 'exterior'));
  assert.equal(paint, null);
});

test('Ford: two lines under a heading are not a color, an interior or a plant', { skip }, async () => {
  const car = await carOf(F150);
  for (const field of ['exterior', 'interior', 'assembly'] as const) {
    const { exterior, interior, assembly } = car.label;
    const value = { exterior: exterior!.color, interior: interior!, assembly: assembly! }[field];
    for (const rows of [-0.4, 0.5]) {
      const { label } = readEdited(car, addBelow(value, 'FLEET SPECIAL', rows, 4));
      assert.equal(label[field], null, `${field} ${rows}`);
      assert.deepEqual(factsOf(label, field), factsOf(car.label, field), `${field} ${rows}`);
    }
  }
});

test('Ford: a section of the equipment in other words is a section', { skip }, async () => {
  for (const path of [F150, MACH_E]) {
    const car = await carOf(path);
    const { label } = readEdited(
      car,
      replaceText(/^FUNCTIONAL$/, 'DRIVER ASSISTANCE'),
      replaceText(/^WARRANTY$/, 'COVERAGE'),
    );
    const names: Record<string, string> = { FUNCTIONAL: 'DRIVER ASSISTANCE', WARRANTY: 'COVERAGE' };
    // A column needs one known heading: COVERAGE is under SAFETY/SECURITY.
    assert.deepEqual(
      label.standard.filter(({ section }) => section !== 'DRIVER ASSISTANCE'),
      car.label.standard
        .filter(({ section }) => section !== 'FUNCTIONAL')
        .map(({ section, items }) => ({ section: names[section!] ?? section, items })),
    );
  }
});

test('Ford: an engine may mention its automatic start, and years their halves', { skip }, async () => {
  const car = await carOf(F150);
  const engine = '3.5L V6 ECOBOOST AUTO START';
  const { label } = readEdited(
    car,
    replaceText(new RegExp(`^${car.label.engine!}$`), engine),
    addBelow('STANDARD FUEL TANK', '2025.5 MODEL YEAR'),
  );
  assert.deepEqual([label.engine, label.transmission], [engine, car.label.transmission]);
  assert.equal(label.prices.options.at(-1)?.name, 'STANDARD FUEL TANK');
});

test('Ford: no charge in the run of its name, and zero, are no charge', { skip }, async () => {
  const car = await carOf(F150);
  const last = 'STANDARD FUEL TANK';
  const { label, proof } = readEdited(
    car,
    addBelow(last, 'BACKGLASS DEFROST   NO CHARGE'),
    addBelow(last, 'JACK', 2),
    addBelow(last, '0.00', 2, 180),
  );
  assert.deepEqual(
    label.prices.options.slice(-2).map(({ name, price, children }) => [name, price || null, children.length]),
    [
      ['BACKGLASS DEFROST', null, 0],
      ['JACK', null, 0],
    ],
  );
  assert.equal(proof?.closes, true);
});

test('Ford: amounts without cents are the same amounts', { skip }, async () => {
  const car = await carOf(F150);
  const { label, proof } = readEdited(car, (items) =>
    items.map((item) => ({
      ...item,
      text: item.x < 680 ? item.text.replace(/^(\$[\d,]+)\.00$/, '$1') : item.text,
    })),
  );
  assert.deepEqual(factsOf(label), factsOf(car.label));
  assert.equal(proof?.closes, true);
});

test('Ford: what takes the amount of the destination is not a fee', { skip }, async () => {
  const car = await carOf(F150);
  const { label, proof } = readEdited(car, addBelow('DESTINATION & DELIVERY', 'FLEET SPECIAL', 0, 140));
  assert.deepEqual(label.prices.fees, []);
  assert.equal(proof?.closes, false);
});

/** The facts that a reader could take from adjacent text, by name. */
function hardFacts({ label }: Reading): Map<string, unknown> {
  if (!label) return new Map();
  const { exterior, interior, engine, transmission, assembly, prices, fuelEconomy, safety } = label;
  const { base, destination, total } = prices;
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
  };
  return new Map(Object.entries({ ...fuel, ...facts }).filter(([, value]) => value ?? false));
}

test('if a run of text is missing, its fact is missing too and never replaced', { skip }, async () => {
  for (const path of [
    F150,
    'samples/labels/cadillac/1G6DG5RK3S0116409.pdf',
    'samples/labels/jeep/1C4RJHBR4TC236328.pdf',
    'samples/labels-2/kia/5XYP3DGC5RG418753.pdf',
    'samples/labels-2/hyundai/KM8RGES22TU026011.pdf',
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

const KIA = 'samples/labels-2/kia/5XYP3DGC5RG418753.pdf';
const HYUNDAI = 'samples/labels-2/hyundai/KM8RGES22TU026011.pdf';
const ESCAPE = 'samples/labels-2/ford/1FMCU0E15RUA50610.pdf';

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
    const { base, destination, total } = car.label.prices;
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
    'samples/labels/cadillac/1G6DS5RW4S0106781.pdf',
    'samples/labels/chevrolet/1G1FK1R66K0153382.pdf',
    'samples/labels/dodge/2C3CDXL96LH151255.pdf',
    KIA,
    HYUNDAI,
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
