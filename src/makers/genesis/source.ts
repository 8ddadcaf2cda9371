import { defineSource } from '../maker.ts';

export const source = defineSource({
  id: 'genesis',
  name: 'Genesis',
  makes: ['GENESIS'],
  urls: [
    'https://www.genesis.com/us/en/services/windowsticker?refreshToken={TODAY}&vehicleType=new&VIN={VIN}&vehicleModel=any',
  ],
  // Unlike General Motors, Genesis sends an empty response for "none".
  empty: 'none',
  // Genesis labels have Hyundai's layout.
  years: '2018 and newer',
  firstYear: 2018,
  typicalBytes: 210_000,
  whenMissing:
    'Genesis publishes stickers from about model year 2018, but not for every car. A Genesis retailer can print the sticker from the VIN.',
  checked: 'Responded in September 2026.',
  example: 'KMTGA4SC8PU900000',
  // Hyundai's plant in Alabama also builds the GV70, so the decoded make doesn't prove which source has the label.
  sharedPlant: { vinPrefix: '5NM', sourceId: 'hyundai' },
  specimens: [
    {
      vin: 'KMTGC4SC5TU000000',
      make: 'Genesis',
      shows: 'a paint code, because the paint is a priced option',
      state: 'held',
      paint: { color: 'SAVANNA GOLD', code: 'SG7' },
    },
  ],
});
