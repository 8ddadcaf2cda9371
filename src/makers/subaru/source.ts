import { defineSource } from '../maker.ts';

export const source = defineSource({
  id: 'subaru',
  name: 'Subaru',
  makes: ['SUBARU'],
  nicknames: { subie: ['SUBARU'] },
  urls: ['https://www.subaru.com/services/vehicles/windowsticker/{VIN}'],
  none: [/window sticker for the vehicle you selected is not available/i],
  // For a VIN without a label, Subaru sends either a PDF that says so or a page of its website.
  page: /<title\b[^<>]*>[^<]*\bSubaru\b|\bwindow sticker\b/i,
  years: 'About 2021 and newer',
  firstYear: 2021,
  typicalBytes: 440_000,
  whenMissing:
    'Subaru publishes stickers from about model year 2021. For an older car, a Subaru retailer can look up the sticker by VIN.',
  checked: 'Responded on October 7, 2026.',
  example: 'JF2SKAGC5RH900000',
  specimens: [
    { vin: 'JF2SKAGC8RH000000', make: 'Subaru', shows: 'a label source that fails', state: 'failed' },
  ],
});
