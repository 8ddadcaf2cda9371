import type { SpecimenRow } from '../../makers/maker.ts';

/** Specimens that belong to no maker in our list. */
export const general: readonly SpecimenRow[] = [
  { vin: '1HGCV3F53MA000000', make: 'Honda', shows: 'a make that publishes no labels', state: 'no-source' },
  {
    vin: '1ZZAA1AA8TA000000',
    make: '',
    shows: 'an unregistered manufacturer',
    state: 'no-source',
  },
];
