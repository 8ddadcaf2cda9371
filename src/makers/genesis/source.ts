import { source } from '../maker.ts';

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
  reader: 'hyundai',
  thirdParty: false,
  noneHours: { recent: 24, older: 14 * 24 },
  years: '2018 and newer',
  firstYear: 2018,
  typicalBytes: 210_000,
  usualSeconds: 2,
  whenMissing:
    'Genesis keeps labels from about model year 2018 on, but not of every car. A Genesis retailer can print the label from the VIN.',
  checked: 'Answered in September 2026.',
  example: 'KMTGA4SC8PU900000',
});
