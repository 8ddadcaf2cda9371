import { source } from '../maker.ts';
import { toyota as reader } from './reader.ts';

export const toyota = source({
  id: 'toyota',
  name: 'Toyota',
  makes: ['TOYOTA', 'LEXUS'],
  // Toyota publishes no labels itself. Two platforms for dealers' websites pass them on: one under each
  // dealer's own host, one under a host of its own. Each knows the cars its dealers sell, so all are asked.
  addresses: [
    'https://www.royalsouthtoyota.com/api/OEMProgramsCommon/ToyotaDDOAWindowSticker?vin={VIN}',
    'https://www.toyotaofdowntownla.com/api/OEMProgramsCommon/ToyotaDDOAWindowSticker?vin={VIN}',
    'https://api-windowsticker.web-aws.dealersocket.com/toyota/{VIN}',
  ],
  turn: 'each',
  none: [/not found/i, /"statusCode"\s*:\s*404\b/],
  empty: 'undecided',
  notFound: 'none',
  page: 'failed',
  reader,
  thirdParty: true,
  noneHours: { recent: 24, older: 14 * 24 },
  years: '2025 and newer, while in stock at a dealer',
  firstYear: 2025,
  typicalBytes: null,
  usualSeconds: 3,
  whenMissing:
    'Toyota and Lexus stickers come through dealer websites, mostly for cars in stock from model year 2025 on. A dealer can print the sticker from the VIN.',
  checked: 'Seen in use between 2022 and 2025; not confirmed since.',
  verifiedOn: 0,
  example: '4T1DAACK5SU900000',
  specimens: [
    {
      vin: 'JTEVB5BR6S5000000',
      make: 'Toyota',
      shows: 'a label with a paint code',
      state: 'held',
      paint: { color: 'GLACIER MIST', code: '01M4' },
    },
  ],
});
