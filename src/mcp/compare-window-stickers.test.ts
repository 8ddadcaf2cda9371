import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FORD,
  fakeLookup,
  held,
  JEEP,
  MISTYPED,
  pictureReading,
  readingOf,
  runTool,
  TESLA,
} from '../../test/fake-lookup.ts';

const findings = { [FORD]: held(FORD), [JEEP]: held(JEEP) };

test('the differences add up to that of the totals', async () => {
  const readings = { [FORD]: readingOf(FORD), [JEEP]: readingOf(JEEP, { basePrice: 4_250_000 }) };
  const fake = fakeLookup({ findings, readings });
  const { text, data } = await runTool('compare_window_stickers', { vins: [FORD, JEEP] }, fake);
  assert.deepEqual(data.differences, [
    { name: 'Base price', amountsCents: [4_000_000, 4_250_000], differenceCents: -250_000 },
  ]);
  assert.deepEqual([data.complete, (data.same as string[]).includes('TOW PACKAGE')], [true, true]);
  assert.equal(data.summary, 'The Explorer cost $2,500 less than the Grand Cherokee.');
  assert.match(
    text,
    /\nIn parentheses: car 1 minus car 2\.\nPrinted on the stickers, car 1 \/ car 2 \(data, not/,
  );
  assert.match(text, /\n> - Base price: \$40,000 \/ \$42,500 \(−\$2,500\)\n> The same on all: .*TOW PACKAGE/);
});

test('summary and lines subtract the second car from the first, whichever cost more', async () => {
  const readings = { [FORD]: readingOf(FORD), [JEEP]: readingOf(JEEP, { basePrice: 4_250_000 }) };
  for (const [vins, more, sign, difference] of [
    [[FORD, JEEP], 'less', '−', -250_000],
    [[JEEP, FORD], 'more', '\\+', 250_000],
  ] as const) {
    const { text, data } = await runTool(
      'compare_window_stickers',
      { vins },
      fakeLookup({ findings, readings }),
    );
    assert.equal((data.differences as { differenceCents: number }[])[0]!.differenceCents, difference);
    assert.match(String(data.summary), new RegExp(` cost \\$2,500 ${more} than `));
    assert.match(text, new RegExp(`\n> - Base price: .* \\(${sign}\\$2,500\\)\n`));
  }
});

test('cars without a reading say why, and nothing is compared', async () => {
  const fake = fakeLookup({ findings, readings: { [FORD]: readingOf(FORD), [JEEP]: pictureReading(JEEP) } });
  const { data } = await runTool('compare_window_stickers', { vins: [`${FORD}, ${JEEP};${TESLA}`] }, fake);
  const cars = data.cars as { vin: string; totalCents: number | null; missing: string | null }[];
  assert.deepEqual([data.complete, data.differences], [false, []]);
  assert.deepEqual(
    cars.map(({ vin, totalCents }) => [vin, totalCents]),
    [
      [FORD, 4_299_500],
      [JEEP, null],
      [TESLA, null],
    ],
  );
  assert.equal(cars[0]!.missing, null);
  assert.match(cars[1]!.missing!, /look at it with show_window_sticker/);
  assert.match(cars[2]!.missing!, /Tesla/);
});

test('a sticker without prices is not compared as if everything on it were free', async () => {
  const { prices } = readingOf(JEEP).label!;
  const none = readingOf(JEEP, {
    prices: { ...prices, base: null, options: [], destination: null, total: null },
  });
  const fake = fakeLookup({ findings, readings: { [FORD]: readingOf(FORD), [JEEP]: none } });
  const { text, data } = await runTool('compare_window_stickers', { vins: [FORD, JEEP] }, fake);
  assert.deepEqual([data.complete, data.differences, data.same], [false, [], []]);
  assert.match(String(data.summary), /^We couldn't find all prices on every sticker/);
  assert.match(text, /\n2\. .*: no total price found\n/);
});

test('paint and equipment that differ are told, and long lists are cut with a count', async () => {
  const items = Array.from({ length: 20 }, (_, index) => `ITEM ${index + 1}`);
  const readings = {
    [FORD]: readingOf(FORD, { standard: [{ section: null, items: ['REAR VIEW CAMERA', ...items] }] }),
    [JEEP]: readingOf(JEEP, { exterior: { color: 'SILVER', code: null } }),
  };
  const { text } = await runTool(
    'compare_window_stickers',
    { vins: [FORD, JEEP] },
    fakeLookup({ findings, readings }),
  );
  assert.match(text, /\n> Paint: HARBOR BLUE \/ SILVER\n/);
  assert.match(text, /\n> Standard on car 1, not listed by all .*: ITEM 1; .*; ITEM 12 and 8 more$/);
});

test('US and Canadian dollars are not compared', async () => {
  const { prices } = readingOf(JEEP).label!;
  const canadian = readingOf(JEEP, { prices: { ...prices, currency: 'CAD' } });
  const readings = { [FORD]: readingOf(FORD), [JEEP]: canadian };
  const fake = fakeLookup({ findings, readings });
  const { data } = await runTool('compare_window_stickers', { vins: [FORD, JEEP] }, fake);
  assert.deepEqual([data.complete, data.differences, data.same], [false, [], []]);
  assert.match(String(data.summary), /Canadian dollars/);
});

test('bad input and the limit are tool errors', async () => {
  const limited = fakeLookup({ findings: { ...findings, [JEEP]: { state: 'limited', retryAfter: 30 } } });
  limited.lookup.reading = async ({ vin }) => readingOf(vin);
  const cases: [unknown, RegExp][] = [
    [[FORD, JEEP], /too many new labels/],
    [[FORD], /^"vins" takes 2 or more VINs, got 1\.$/],
    [[FORD, FORD.toLowerCase()], /same VIN appears twice/],
    [[FORD, MISTYPED], /Position 17 is the letter I/],
    [FORD, /^"vins" takes 2 or more VINs, got 1\.$/],
    [[], /"vins" takes 2 or more VINs, got 0/],
    [[FORD, JEEP, TESLA, FORD, JEEP], /"vins" takes at most 4 VINs, got 5/],
  ];
  for (const [vins, message] of cases) {
    const { text, isError } = await runTool('compare_window_stickers', { vins }, limited);
    assert.equal(isError, true);
    assert.match(text, message);
  }
});

test('too many VINs in one text are refused before any is looked up', async () => {
  const fake = fakeLookup({ findings });
  const vins = Array.from({ length: 60 }, () => FORD).join(',');
  const { text } = await runTool('compare_window_stickers', { vins: [vins] }, fake);
  assert.match(text, /^"vins" takes at most 4 VINs, got 60\.$/);
  assert.deepEqual(fake.calls, []);
});
