// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORD, fakeLookup, held, JEEP, MISTYPED, readingOf, runTool, TESLA } from '../../test/fake-lookup.ts';

const findings = { [FORD]: held(FORD), [JEEP]: held(JEEP) };

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

test('a sticker without prices is not compared as if everything on it were free', async () => {
  const { prices } = readingOf(JEEP).label!;
  const none = readingOf(JEEP, {
    prices: { ...prices, base: null, options: [], destination: null, total: null },
  });
  const fake = fakeLookup({ findings, readings: { [FORD]: readingOf(FORD), [JEEP]: none } });
  const { text, data } = await runTool('compare_window_stickers', { vins: [FORD, JEEP] }, fake);
  assert.deepEqual([data.complete, data.differences, data.same], [false, [], []]);
  assert.match(String(data.summary), /^We couldn't find all prices on every sticker/);
  assert.match(text, /\n2\. .*: no total price found \(the manufacturer's original file\)\n/);
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
    [[Array.from({ length: 60 }, () => FORD).join(',')], /^"vins" takes at most 4 VINs, got 60\.$/],
  ];
  for (const [vins, message] of cases) {
    const { text, isError } = await runTool('compare_window_stickers', { vins }, limited);
    assert.equal(isError, true);
    assert.match(text, message);
  }
});
