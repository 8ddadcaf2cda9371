import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from '@monroney/label/reading/lines';
import { blankLabel } from '@monroney/label/reading/reader';
import type { Label } from '@monroney/label/reading/types';
import { glossary, wordsOn } from './glossary.ts';

/** As printed on labels, with the word that is explained. */
const PRINTED: Record<string, string> = {
  'EQUIPMENT GROUP 301A': 'Equipment group number',
  'PREFERRED EQUIPMENT PKG.600A': 'Equipment group number',
  'Customer Preferred Package 2BK': 'Equipment group number',
  'MANUFACTURER’S SUGGESTED RETAIL PRICE': 'MSRP',
  'DESTINATION CHARGE': 'Destination',
  '11500# GVWR PACKAGE': 'GVWR',
  'FRONT GAWR 5600#': 'GAWR',
  'PAYLOAD PACKAGE UPGRADE': 'Payload',
  '3.21 Rear Axle Ratio': 'Axle ratio',
  '3.73 ELECTRONIC-LOCKING AXLE': 'Axle ratio',
  'DIFFERENTIAL, LIMITED-SLIP': 'Limited slip',
  '3.15 RATIO LTD SLIP AXLE': 'Limited slip',
  'HTRAC AWD': 'AWD',
  '2026 F250 4X4 CREW CAB': '4WD',
  'ESCAPE FWD': 'FWD',
  'TRANSIT RWD': 'RWD',
  'F250 SRW': 'SRW',
  'F350 DRW': 'DRW',
  'BLIS W/CROSS-TRAFFIC ALERT': 'BLIS',
  '4-WHEEL DISC/ABS': 'ABS',
  'LED DRL': 'DRL',
  'HEADLAMPS-LED': 'LED',
  'HID HEADLAMPS': 'HID',
  'TIRE PRESSURE MONIT SYS': 'TPMS',
  'SILVERADO EV': 'EV',
  'PLUG-IN HYBRID FWD': 'PHEV',
  '3.5L POWERBOOST FULL HYBRID': 'HEV',
  'The best vehicle rates 136 MPGe.': 'MPGe',
  '91 KWH BATTERY': 'kWh',
  'ECVT TRANSMISSION': 'CVT',
  '8-SPEED DUAL CLUTCH TRANS': 'DCT',
  'TOW TECHNOLOGY PACKAGE': 'Package or group',
  'Lighting Group': 'Package or group',
  'CREDIT - NOT EQUIPPED W/ HEATED SEATS': 'Credit',
  'SPOILER DELETE': 'Delete',
  'NO CHARGE': 'No charge',
  'GAS GUZZLER TAX': 'Gas guzzler tax',
  'PORT INSTALLED OPTIONS': 'Port-installed',
  'FLOOR LINERS (DEALER INSTALLED)': 'Dealer-installed',
  '50 STATE EMISSIONS': '50-state emissions',
  'Federal A/C Excise Tax': 'Federal A/C excise tax',
  'GREEN LEVY': 'Green Levy',
};

/** A label about which nothing else is known. */
const label: Label = { ...blankLabel('Ford'), market: 'US' };
const wordsIn = (printed: string, of: Label = label) => wordsOn(of, plainText(printed)).map(([word]) => word);

test('every word that shoppers stumble over is explained where a sticker prints it', () => {
  for (const [printed, word] of Object.entries(PRINTED)) assert.ok(wordsIn(printed).includes(word), printed);
  const [nothing, ...more] = wordsIn('2026 MUSTANG');
  assert.deepEqual([nothing, ...more], ['Monroney', 'EPA', 'NHTSA']);
});

test('the guide explains each of them in one line', () => {
  const markup = String(glossary());
  for (const word of [...Object.values(PRINTED), 'Monroney', 'EPA', 'NHTSA']) {
    const [, meaning] = new RegExp(`<summary>${word}</summary>\\s*<p[^>]*>([^<]*)</p>`).exec(markup) ?? [];
    assert.ok(meaning && meaning.length > 20 && meaning.length < 110, word);
  }
});

test('a word inside another, or a number that only looks like a group, explains nothing', () => {
  for (const printed of [
    'FABSTRACT SLEDGE EVENT BEVERAGE',
    'SIRIUSXM W/360L',
    '225/60R18 100H A/S BSW TIRES',
    '120V/400W OUTLET',
    'DEALER MAY SELL FOR LESS',
    'Membership (Retail Sales/50 States Only)',
    'ZERO EMISSIONS',
    'i-Spin Differential Rear Axle',
  ])
    assert.deepEqual(wordsIn(printed), ['Monroney', 'EPA', 'NHTSA'], printed);
});

test('a plug-in hybrid is not called a hybrid without a plug', () => {
  const words = wordsIn('2024 PLUG-IN HYBRID FWD\n2.5L HYBRID ENGINE');
  assert.ok(words.includes('PHEV') && !words.includes('HEV'));
});

test('without the stored text, the words of the heading and the prices count', () => {
  const read = {
    ...label,
    model: 'SUPER DUTY F250 SRW 4X4',
    prices: { ...label.prices, destination: 199_500 },
  };
  const words = wordsOn(read, null).map(([word]) => word);
  assert.deepEqual(words.slice(0, 3), ['Destination', '4WD', 'SRW']);
});

test('what only the law of the United States prints is not explained on a Canadian sticker', () => {
  assert.deepEqual(wordsIn('GREEN LEVY', { ...label, market: 'CA' }), ['Green Levy']);
});
