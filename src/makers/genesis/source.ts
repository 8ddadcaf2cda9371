import { source } from '../maker.ts';
import { hyundai as reader } from '../hyundai/reader.ts';

export const genesis = source({
  id: 'genesis',
  name: 'Genesis',
  makes: ['GENESIS'],
  addresses: [
    'https://www.genesis.com/us/en/services/windowsticker?refreshToken={TODAY}&vehicleType=new&VIN={VIN}&vehicleModel=any',
  ],
  turn: 'fail-over',
  headers: { Referer: 'https://www.genesis.com', Origin: 'https://www.genesis.com' },
  none: [],
  // Here, unlike at General Motors, an empty answer is how "none" is said.
  empty: 'none',
  notFound: 'failed',
  page: 'failed',
  // Genesis prints its labels on Hyundai's forms.
  reader,
  thirdParty: false,
  noneHours: { recent: 24, older: 14 * 24 },
  years: '2018 and newer',
  firstYear: 2018,
  typicalBytes: 210_000,
  usualSeconds: 2,
  whenMissing:
    'Genesis publishes stickers from about model year 2018 on, but not for every car. A Genesis retailer can print the sticker from the VIN.',
  checked: 'Responded in September 2026.',
  verifiedOn: 2,
  example: 'KMTGA4SC8PU900000',
  // Hyundai's plant in Alabama builds the GV70 too: the decoded make is not proof of whose label it is.
  sharedPlant: { start: '5NM', with: 'hyundai' },
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
