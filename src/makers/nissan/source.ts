import { defineSource, LABEL_NOT_FOUND } from '../maker.ts';

export const source = defineSource({
  id: 'nissan',
  name: 'Nissan',
  makes: ['NISSAN', 'INFINITI'],
  // A platform for dealer websites. Another platform serves the same labels on each dealer's own host; operators can
  // add those.
  urls: ['https://nissan-services.web-aws.dealersocket.com/production/sticker/{VIN}'],
  strategy: 'try-all',
  none: LABEL_NOT_FOUND,
  notFound: 'none',
  // The label is a picture, so its text doesn't contain the VIN. This notice and the size of a real scan identify it.
  picture: { notice: /Not actual Monroney Label.{0,200}Unofficial Copy/is, minBytes: 100 * 1024 },
  kind: 'dealer-copy',
  years: 'About 2014 and newer',
  firstYear: 2014,
  typicalBytes: 640_000,
  whenMissing:
    'Nissan and Infiniti stickers come through a dealer website platform, from about model year 2014, but not for every car. A dealer can print the sticker from the VIN.',
  checked: 'Seen in use between 2022 and 2025; not confirmed since.',
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
