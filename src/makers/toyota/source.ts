import { defineSource, LABEL_NOT_FOUND } from '../maker.ts';

export const source = defineSource({
  id: 'toyota',
  name: 'Toyota',
  makes: ['TOYOTA', 'LEXUS'],
  // Toyota doesn't publish labels itself. The first two are dealerships' own websites, the third is a platform for dealer
  // websites. Each has only its dealers' cars, so all of them are tried.
  urls: [
    'https://www.royalsouthtoyota.com/api/OEMProgramsCommon/ToyotaDDOAWindowSticker?vin={VIN}',
    'https://www.toyotaofdowntownla.com/api/OEMProgramsCommon/ToyotaDDOAWindowSticker?vin={VIN}',
    'https://api-windowsticker.web-aws.dealersocket.com/toyota/{VIN}',
  ],
  dealerships: ['www.royalsouthtoyota.com', 'www.toyotaofdowntownla.com'],
  strategy: 'try-all',
  none: LABEL_NOT_FOUND,
  notFound: 'none',
  kind: 'dealer-copy',
  years: '2025 and newer, while in stock at a dealer',
  firstYear: 2025,
  typicalSeconds: 3,
  whenMissing:
    'Toyota and Lexus stickers come through dealer websites, mostly for cars in stock from model year 2025. A dealer can print the sticker from the VIN.',
  checked: 'Seen in use between 2022 and 2025; not confirmed since.',
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
