import { source } from '../maker.ts';

export const nissan = source({
  id: 'nissan',
  name: 'Nissan',
  makes: ['NISSAN', 'INFINITI'],
  // A platform for dealers' websites; another one serves the same labels under each dealer's own host, which an
  // operator can add.
  addresses: ['https://nissan-services.web-aws.dealersocket.com/production/sticker/{VIN}'],
  turn: 'each',
  none: [/not found/i, /"statusCode"\s*:\s*404\b/],
  empty: 'undecided',
  notFound: 'none',
  page: 'failed',
  // The label is one picture, so there is no VIN to find in its text: this stamp and the size of a real scan
  // stand in for it.
  picture: { notice: /Not actual Monroney Label.{0,200}Unofficial Copy/is, minBytes: 100 * 1024 },
  reader: null,
  thirdParty: true,
  noneHours: { recent: 24, older: 14 * 24 },
  years: 'About 2014 and newer',
  firstYear: 2014,
  typicalBytes: 640_000,
  usualSeconds: 2,
  whenMissing:
    'Nissan and Infiniti stickers come through a dealer website platform, from about model year 2014 on, but not for every car. A dealer can print the sticker from the VIN.',
  checked: 'Seen in use between 2022 and 2025; not confirmed since.',
  verifiedOn: 0,
  example: '3N8AP6DA6SL900000',
  specimens: [
    {
      vin: '3N8AP6DA9SL000000',
      make: 'Nissan',
      shows: 'a label that is a picture, without readable text',
      state: 'held',
    },
  ],
});
