import { defineSource, LABEL_NOT_FOUND } from '../maker.ts';

export const source = defineSource({
  id: 'kia',
  name: 'Kia',
  makes: ['KIA'],
  // The URL changed over the years, and we don't know which one serves which cars. So a car has no label only if all
  // three say so.
  urls: [
    'https://www.kia.com/us/services/en/windowsticker/load/{VIN}',
    'https://www.kia.com/us/services/us/windowsticker/load/{VIN}',
    'https://www.kia.com/us/en/data/dealerinventory/windowsticker/{VIN}',
  ],
  strategy: 'try-all',
  none: LABEL_NOT_FOUND,
  notFound: 'none',
  years: 'About 2012 and newer',
  firstYear: 2012,
  typicalSeconds: 3,
  whenMissing:
    'Kia publishes stickers from about model year 2012, but not for every car. A Kia dealer can print the sticker from the VIN.',
  checked: 'Seen in use between 2019 and 2025; not confirmed since.',
  example: '5XYP5DGC1PG900000',
  specimens: [
    { vin: '5XYP5DGC4PG000000', make: 'Kia', shows: 'a label source that is switched off', state: 'off' },
  ],
});
