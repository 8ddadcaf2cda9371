import { defineSource } from '../maker.ts';

const path = '/hostd/windowsticker/getWindowStickerPdf.do?vin={VIN}';

export const source = defineSource({
  id: 'stellantis',
  name: 'Stellantis',
  makes: ['JEEP', 'RAM', 'DODGE', 'CHRYSLER', 'FIAT', 'ALFA ROMEO'],
  aliases: ['FCA', 'Fiat Chrysler Automobiles', 'Chrysler Group', 'Mopar'],
  nicknames: { alfa: ['ALFA ROMEO'], abarth: ['FIAT'], srt: ['DODGE'] },
  // All four hosts serve every make with identical bytes. So one "none" is enough, and the next host is tried only if
  // one fails.
  urls: [
    `https://www.chrysler.com${path}`,
    `https://www.jeep.com${path}`,
    `https://www.ramtrucks.com${path}`,
    `https://www.dodge.com${path}`,
  ],
  // Both come as a PDF of about 1.1 KB with status 200.
  none: [/unable to retrieve a window sticker for this VIN/i, /Window Sticker is unavailable for this VIN/i],
  years: '2013 and newer, reliably from 2017 on',
  firstYear: 2013,
  typicalBytes: 80_000,
  whenMissing:
    'Stellantis publishes stickers from about model year 2013, and reliably from 2017. Stickers for Canadian cars may be in French. For an older car, a dealer that sells the make can print the build sheet from the VIN.',
  checked: 'All four hosts responded on October 7, 2026.',
  example: '1C6SRFFT4TN900000',
  specimens: [
    {
      vin: '1C4RJHBR7TC000000',
      make: 'Jeep',
      shows: 'a label with packages and their contents',
      state: 'held',
      paint: { color: 'Harbor Fog Metallic Clear–Coat Exterior Paint', code: null },
    },
  ],
});
