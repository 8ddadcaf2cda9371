import { source } from '../maker.ts';
import { subaru as reader } from './reader.ts';

export const subaru = source({
  id: 'subaru',
  name: 'Subaru',
  makes: ['SUBARU'],
  nicknames: { subie: ['SUBARU'] },
  addresses: ['https://www.subaru.com/services/vehicles/windowsticker/{VIN}'],
  turn: 'fail-over',
  none: [/window sticker for the vehicle you selected is not available/i],
  empty: 'undecided',
  notFound: 'failed',
  // For a VIN it does not know Subaru sends either a PDF that says so or a page of its website.
  page: 'none',
  reader,
  thirdParty: false,
  noneHours: { recent: 24, older: 14 * 24 },
  years: 'About 2021 and newer',
  firstYear: 2021,
  typicalBytes: 440_000,
  usualSeconds: 2,
  whenMissing:
    'Subaru publishes stickers from about model year 2021 on. For an older car, a Subaru retailer can look up the sticker by VIN.',
  checked: 'Responded on 7 October 2026.',
  verifiedOn: 1,
  example: 'JF2SKAGC5RH900000',
  specimens: [
    { vin: 'JF2SKAGC8RH000000', make: 'Subaru', shows: 'a label source that fails', state: 'failed' },
  ],
});
