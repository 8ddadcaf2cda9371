// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORD, fakeLookup, held, readingOf, runTool } from '../../test/fake-lookup.ts';

test('a contradiction between label and VIN is a warning', async () => {
  const reading = readingOf(FORD, { model: '2026 EXPLORER TREMOR 4WD', engine: '5.0L V8' });
  const fake = fakeLookup({ findings: { [FORD]: held(FORD) }, readings: { [FORD]: reading } });
  const { text } = await runTool('read_window_sticker', { vin: FORD }, fake);
  assert.match(text, /\nWarning: The sticker says 5\.0L V8, but the VIN says \S+ 4-cylinder\.\n/);
  assert.match(text, /\n> Model: 2026 EXPLORER TREMOR 4WD\n/);
});

test('the text has every fact that the description promises', async () => {
  const reading = readingOf(FORD, {
    engine: '2.3L ECOBOOST',
    transmission: '10-SPEED AUTO',
    assembly: 'CHICAGO',
    portOfEntry: 'BALTIMORE',
    fuelEconomy: {
      city: 20,
      highway: 27,
      combined: 23,
      unit: 'MPG',
      per100: 4.3,
      annualFuelCost: 230_000,
      fiveYearCost: -150_000,
      greenhouseRating: 5,
      smogRating: 7,
      co2: 380,
      electric: { combined: 90, per100: 37, range: 24, chargeHours: 3.5 },
    },
    safety: {
      overall: 5,
      frontalDriver: 4,
      frontalPassenger: 'not-rated',
      sideFront: 5,
      sideRear: null,
      rollover: 3,
    },
    parts: {
      usCanadian: 45,
      foreign: [{ country: 'MEXICO', percent: 25 }],
      engine: 'SPAIN',
      transmission: null,
    },
    warranty: ['3YR/36,000 BUMPER', '5YR/60,000 POWERTRAIN'],
  });
  const [towing] = reading.label!.prices.options;
  towing!.children = ['RECEIVER HITCH', 'OIL COOLER'];
  const fake = fakeLookup({ findings: { [FORD]: held(FORD) }, readings: { [FORD]: reading } });
  const { text } = await runTool('read_window_sticker', { vin: FORD }, fake);
  for (const fact of [
    'Consumption: 37 kWh per 100 miles, charges in 3.5 hours at 240 V',
    'Fuel cost: $2,300 a year\nFuel cost over five years: $1,500 less than the average new vehicle',
    'CO2: 380 grams per mile\nGreenhouse gas rating: 5 of 10\nSmog rating: 7 of 10',
    '90 MPGe on electricity, 24 miles electric range',
    'Overall: 5 of 5; Frontal crash, driver: 4 of 5; Frontal crash, passenger: Not rated; Side crash, front seat: 5 of 5; Rollover: 3 of 5',
    '> Engine: 2.3L EcoBoost',
    '> Transmission: 10-Speed Automatic',
    '> Assembled in: Chicago',
    '> Port of entry: Baltimore',
    '> Parts content: US and Canada: 45%; Mexico: 25%; Engine from: Spain',
    '> Warranty: 3-Year/36,000 Bumper; 5-Year/60,000 Powertrain',
    '> - Tow Package: $1,000 (contains: Receiver Hitch; Oil Cooler)',
  ])
    assert.ok(text.includes(fact), fact);
  assert.doesNotMatch(text, /Not printed/);
});

test('text from the label is bounded, and has no invisible characters', async () => {
  const items = Array.from({ length: 200 }, (_, index) => `EQUIPMENT NUMBER ${index}`);
  const interior = `\u202ECLOTH${'x'.repeat(10_000)}`;
  const reading = readingOf(FORD, { interior, standard: [{ section: null, items }] });
  const fake = fakeLookup({ findings: { [FORD]: held(FORD) }, readings: { [FORD]: reading } });
  const { text, data } = await runTool('read_window_sticker', { vin: FORD }, fake);
  assert.match((data.label as { interior: string }).interior, /^ CLOTHx{300,400}…$/);
  assert.match(text, /\n> \(\d+ more items of equipment are in the structured content\.\)\n/);
  assert.ok(text.length < 6_000 && !text.includes('\u202E'));
});
