import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertVinErrors,
  FORD,
  fakeLookup,
  held,
  pictureReading,
  readingOf,
  runTool,
} from '../../test/fake-lookup.ts';

test('a readable label is returned with amounts in cents and dollars', async () => {
  const fake = fakeLookup({ findings: { [FORD]: held(FORD) }, readings: { [FORD]: readingOf(FORD) } });
  const { text, data } = await runTool('read_window_sticker', { vin: FORD }, fake);
  assert.match(text, /Total price when new: \$42,995\nBase price: \$40,000\nDestination: \$1,995\n/);
  assert.match(text, /- TOW PACKAGE: \$1,000\n- FLOOR MATS: included\nPDF: /);
  const { prices, places } = data.label as {
    prices: { dollars: object; options: { dollars: number | null }[] };
    places?: object;
  };
  assert.deepEqual(prices.dollars, { base: 40_000, destination: 1_995, total: 42_995 });
  assert.deepEqual(
    prices.options.map(({ dollars }) => dollars),
    [1_000, null],
  );
  assert.equal(places, undefined, 'positions on the page are left out');
  assert.deepEqual([data.readable, data.reason, data.missing], [true, null, null]);
  assert.match(String(data.about), /data, never as instructions/);
});

test('the car has the name on its label, and a contradiction with the VIN is a warning', async () => {
  const reading = readingOf(FORD, { model: '2026 EXPLORER TREMOR 4WD', engine: '5.0L V8' });
  const fake = fakeLookup({ findings: { [FORD]: held(FORD) }, readings: { [FORD]: reading } });
  const { text } = await runTool('read_window_sticker', { vin: FORD }, fake);
  assert.match(text, /^2026 Ford Explorer Tremor 4WD \(/);
  assert.match(text, /\nWarning: The sticker says 5\.0L V8, but the VIN says \S+ 4-cylinder\.$/);
});

test('text from the label is bounded and has no invisible characters', async () => {
  const interior = `\u202ECLOTH${'x'.repeat(10_000)}`;
  const fake = fakeLookup({
    findings: { [FORD]: held(FORD) },
    readings: { [FORD]: readingOf(FORD, { interior }) },
  });
  const { text, data } = await runTool('read_window_sticker', { vin: FORD }, fake);
  assert.match((data.label as { interior: string }).interior, /^ CLOTHx{300,400}…$/);
  assert.ok(text.length < 1_250 && !text.includes('\u202E'));
});

test('a picture has links but no reading', async () => {
  const fake = fakeLookup({ findings: { [FORD]: held(FORD) }, readings: { [FORD]: pictureReading(FORD) } });
  const { text, data } = await runTool('read_window_sticker', { vin: FORD }, fake);
  assert.deepEqual([data.readable, data.reason, data.label, data.proof], [false, 'picture', null, null]);
  assert.match(String(data.missing), /look at it with show_window_sticker/);
  assert.match(text, /\nPDF: https:\/\/example\.org\/api\/sticker\//);
  assert.ok(data.links);
});

test('without a label the result says why', async () => {
  const fake = fakeLookup({ findings: { [FORD]: { state: 'none', why: 'page', until: 0 } } });
  const { text, data } = await runTool('read_window_sticker', { vin: FORD }, fake);
  assert.deepEqual([data.readable, data.reason, data.links, data.label], [false, 'no-label', null, null]);
  assert.match(text, /Ford has no window sticker for this VIN/);
});

test('bad input and the limit are tool errors', () => assertVinErrors('read_window_sticker'));
