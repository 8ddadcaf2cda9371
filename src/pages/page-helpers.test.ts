// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankLabel } from '@monroney/label/reading/reader';
import { NO_FIGURES } from '@monroney/label/reading/fuel-economy';
import type { FuelEconomy, Label, Reading } from '@monroney/label/reading/types';
import { fakeLookup, FORD, held, readingOf } from '../../test/fake-lookup.ts';
import { withReading } from '../lookup/finding.ts';
import { economyWords } from '@monroney/label/facts';
import { factBoxes, basicColor, optionCodes, swatch } from './label-sections.ts';
import { carDetails, carHead, scriptJson } from './car-page.ts';
import { html } from './html.ts';
import { answer } from './car-summary.ts';

test('a swatch is shown only if the paint’s name contains exactly one basic color', () => {
  assert.equal(basicColor('HARBOR BLUE METALLIC'), 'blue');
  assert.equal(basicColor('Black / Silver two-tone'), null);
  assert.equal(basicColor('EMBER GLOW TINTCOAT'), null);
  assert.equal(basicColor('Redwood'), null);
  assert.equal(basicColor('Constructor'), null);
  assert.equal(swatch('Harbor Fog'), '');
  assert.match(String(swatch('JET BLACK')), /roughly black/);
});

test('JSON in a page can’t close its script element', () => {
  const hostile = { name: '</script><script>alert(1)</script>', other: '<!-- & \u2028' };
  const text = scriptJson(hostile);
  assert.doesNotMatch(text, /[<>&\u2028]/);
  assert.deepEqual(JSON.parse(text), hostile);
});

test('the head of a car’s page has the name on the sticker and says where sticker and VIN disagree', async () => {
  const reading = readingOf(FORD, { model: '2026 EXPLORER TREMOR 4WD', engine: '5.0L V8' });
  const { lookup } = fakeLookup({ findings: { [FORD]: held(FORD) } });
  const result = withReading(await lookup.find(FORD, { sticker: true }), reading);
  const head = String(html`${carHead(result, '')}${carDetails(result, reading.label)}`);
  assert.match(head, /<h1>2026 Ford Explorer Tremor 4WD<\/h1>/);
  assert.match(head, /<strong>The sticker and the VIN disagree\.<\/strong> The sticker says 5\.0L V8, but/);
  assert.doesNotMatch(String(carDetails(withReading(result, readingOf(FORD)), null)), /disagree/);
});

test('the line below a car’s name says what it cost, if the prices add up', () => {
  const words = ({ label, proof }: Reading) =>
    String(answer(label!, proof!.closes))
      .replace(/<[^>]*>/g, '')
      .trim();
  const reading = readingOf(FORD, { assembly: 'LANSING, MI U.S.A.' });
  assert.equal(words(reading), '$42,995 when new · $1,000 in options · Harbor Blue · built in Lansing, MI');
  assert.equal(
    words({ ...reading, proof: { ...reading.proof!, closes: false } }),
    'Harbor Blue · built in Lansing, MI',
  );
});

test('fuel economy is shown in its own unit, with only the printed figures', () => {
  const words = (figures: Partial<FuelEconomy>) => economyWords({ ...NO_FIGURES, ...figures });
  assert.equal(words({ city: 17, highway: 22, combined: 19 }), '19 mpg (17 city, 22 highway)');
  const electric = { combined: 101, per100: 33, range: 280, chargeHours: null };
  assert.equal(words({ combined: 101, unit: 'MPGe', electric }), '101 MPGe, 280 miles electric range');
  assert.equal(
    words({ combined: 40, electric: { ...electric, range: 37 } }),
    '40 mpg, 101 MPGe on electricity, 37 miles electric range',
  );
  assert.equal(words({}), '');
});

test('the federal boxes show cost, stars and parts, and leave out anything not printed', () => {
  const fuelEconomy = {
    ...NO_FIGURES,
    annualFuelCost: 245_000,
    fiveYearCost: -475_000,
    co2: 78,
    smogRating: 8,
  };
  const unrated = {
    overall: 'not-rated',
    frontalDriver: 'not-rated',
    frontalPassenger: 'not-rated',
    sideFront: 'not-rated',
    sideRear: 'not-rated',
    rollover: 'not-rated',
  } as const;
  const parts = {
    usCanadian: 37,
    foreign: [{ country: 'MEXICO', percent: 21 }],
    engine: 'KOREA',
    transmission: null,
  };
  const boxes = (more: Partial<Label>) =>
    String(factBoxes({ ...blankLabel('Ford'), interior: 'Black', ...more }, new Map())).replace(/\s+/g, ' ');
  const full = boxes({
    fuelEconomy,
    parts,
    safety: { ...unrated, overall: 4, sideRear: null },
    warranty: ['3 years / 36,000 miles basic'],
  });
  assert.match(full, /78 grams per mile[^]*Smog[^]*aria-label="8 of 10, 10 is best"/);
  assert.match(full, /\$2,450 a year/);
  assert.match(full, /\$4,750 less than the average new vehicle/);
  assert.match(full, /★★★★☆<\/span> <span class="small soft">4 of 5/);
  assert.match(full, /<dt>Mexico<\/dt> <dd>21%/);
  assert.match(full, /3 years \/ 36,000 miles basic/);
  assert.doesNotMatch(full, /rear seat|Transmission from/);
  assert.match(boxes({ safety: unrated }), /Not rated by the government/);
  assert.doesNotMatch(boxes({}), /Fuel economy|Parts content|Warranty|Delivery/);
});

test('the first dealer, the order, the day and the wheelbase are shown as printed', () => {
  const label: Label = {
    ...blankLabel('GMC'),
    wheelbase: '145" WHEELBASE',
    delivery: {
      dealer: {
        name: 'A DEALER, INC.',
        street: null,
        city: 'ANYTOWN',
        state: 'MI',
        zip: '48101',
        code: '12345',
      },
      orderNumber: 'DRGV0V',
      transport: 'RAIL',
    },
    created: '2025-05-14',
  };
  const shown = String(factBoxes(label, new Map())).replace(/\s+/g, ' ');
  assert.match(shown, /Delivered new to<\/dt> <dd>A DEALER, INC\., ANYTOWN, MI 48101 \(dealer 12345\)/);
  assert.match(shown, /Order number<\/dt> <dd>DRGV0V.*Rail.*Label made<\/dt> <dd>May 14, 2025/);
  assert.match(shown, /145&quot; wheelbase/);
  assert.doesNotMatch(String(factBoxes({ ...label, created: 'someday' }, new Map())), /Label made/);
});

test('option codes are behind a fold that says where they come from', () => {
  const shown = String(optionCodes({ ...blankLabel('GMC'), optionCodes: ['AKQ', 'AL0'] })).replace(
    /\s+/g,
    ' ',
  );
  assert.match(shown, /<details>.*2 codes.*text that GM puts into the file for machines.*AKQ AL0/);
  assert.equal(optionCodes(blankLabel('Ford')), '');
});
