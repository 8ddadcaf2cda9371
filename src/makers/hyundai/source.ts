import { source } from '../maker.ts';
import { hyundai as reader } from './reader.ts';

export const hyundai = source({
  id: 'hyundai',
  name: 'Hyundai',
  makes: ['HYUNDAI'],
  // hyundaiusa.com shows the same labels but keeps servers out; this is where its dealers' sites get them.
  // The body is base64 text although it is labelled application/pdf.
  addresses: ['https://hyundai-sticker.dealerfire.com/new/{VIN}'],
  turn: 'fail-over',
  headers: { Accept: 'application/pdf,*/*', Referer: 'https://www.hyundaiusa.com/' },
  none: [/document not found for VIN/i, /"statusCode"\s*:\s*404\b/],
  refused: [/you have been blocked/i],
  empty: 'undecided',
  notFound: 'failed',
  page: 'failed',
  reader,
  thirdParty: false,
  noneHours: { recent: 24, older: 14 * 24 },
  years: '2014 and newer',
  firstYear: 2014,
  typicalBytes: 210_000,
  usualSeconds: 2,
  whenMissing:
    'Hyundai publishes stickers from about model year 2014 on, but not for every car. A Hyundai dealer can print the sticker from the VIN.',
  checked: 'Responded on 17 September 2026.',
  verifiedOn: 5,
  example: 'KM8R24GE4SU900000',
  // Its plant in Alabama builds the Genesis GV70 too: the decoded make is not proof of whose label it is.
  sharedPlant: { start: '5NM', with: 'genesis' },
  specimens: [
    {
      vin: '5NMJECDE7TH000000',
      make: 'Hyundai',
      shows: 'no paint code, because the paint has no extra charge',
      state: 'held',
      paint: { color: 'LAGOON BLUE', code: null },
    },
  ],
});
