import { defineSource } from '../maker.ts';

export const source = defineSource({
  id: 'gm',
  name: 'General Motors',
  makes: ['CHEVROLET', 'GMC', 'BUICK', 'CADILLAC'],
  aliases: ['GM'],
  nicknames: {
    chevy: ['CHEVROLET'],
    chev: ['CHEVROLET'],
    corvette: ['CHEVROLET'],
    caddy: ['CADILLAC'],
    hummer: ['GMC'],
  },
  // No extra headers: the fewer it gets, the more often the server responds.
  urls: ['https://cws.gm.com/vs-cws/vehshop/v2/vehicle/windowsticker?vin={VIN}'],
  none: [/No Window Sticker found/i],
  refused: [/Access Denied/i, /errors\.edgesuite/i],
  // The CDN also sends empty responses for cars that have a label, so they are retried and never mean "none".
  empty: 'failed',
  years: 'Mostly 2022 and newer; the newest year often appears late',
  firstYear: 2022,
  typicalBytes: 160_000,
  whenMissing:
    'General Motors publishes stickers mostly from model year 2022 on; those for the newest year often appear late. If the car is new, try again in a day. For an older car, a dealer that sells the make can print the sticker from the VIN.',
  checked: 'Responded on October 7, 2026.',
  example: '1G1YB2D45N5900000',
  specimens: [
    {
      vin: '1G1YB2D43S5000000',
      make: 'Chevrolet',
      shows: 'a label with savings and a paint name on two lines',
      state: 'held',
      paint: { color: 'EMBER GLOW METALLIC TINTCOAT', code: null },
    },
    { vin: '5GAEVAKW4RJ000000', make: 'Buick', shows: 'a wrong check digit', state: 'none' },
  ],
});
