import { defineSource } from '../maker.ts';

export const source = defineSource({
  id: 'ford',
  name: 'Ford',
  makes: ['FORD', 'LINCOLN'],
  nicknames: { fomoco: ['FORD', 'LINCOLN'] },
  urls: ['https://www.windowsticker.forddirect.com/windowsticker.pdf?vin={VIN}'],
  // Sent as a PDF without a VIN, before a label is released and for some cars again once they are sold.
  none: [/window sticker for this vehicle has not yet been released/i],
  placeholder: [/please check back later/i],
  // A label that isn't released yet may be available tomorrow, whatever the model year.
  noneHours: { recent: 24, older: 24 },
  years: 'New cars and many sold ones, some back to 2015',
  firstYear: 2015,
  typicalBytes: 1_600_000,
  whenMissing:
    'Ford and Lincoln stickers are published for new cars, and many, but not all, stay after the sale, some back to model year 2015. If the car is new, try again in a day. Otherwise a dealer can print the sticker from the VIN.',
  checked: 'Responded on October 8, 2026.',
  example: '1FTEW2LP1TKE90000',
  specimens: [
    {
      vin: '1FMUK8DH0TG000000',
      make: 'Ford',
      shows: 'a label with text and paint',
      state: 'held',
      paint: { color: 'HARBOR BLUE METALLIC', code: null },
    },
    { vin: '2LMPJ8J99PB000000', make: 'Lincoln', shows: 'a VIN without a label', state: 'none' },
  ],
});
