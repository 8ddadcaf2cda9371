import type { Paint } from '../../reading/types.ts';

export interface Row {
  vin: string;
  /** As a person writes it. */
  make: string;
  /** What it is there to show, for the documents. */
  shows: string;
  state: 'held' | 'none' | 'off' | 'failed' | 'no-source';
  paint?: Paint | null;
}

/** Serial number 000000, which no factory issues; the rest of each VIN decodes truthfully. */
export const table: readonly Row[] = [
  {
    vin: '1FMUK8DH0TG000000',
    make: 'Ford',
    shows: 'a label in text, with its paint',
    state: 'held',
    paint: { color: 'HARBOR BLUE METALLIC', code: null },
  },
  {
    vin: '1C4RJHBR7TC000000',
    make: 'Jeep',
    shows: 'a label with priced packages and what is in them',
    state: 'held',
    paint: { color: 'Harbor Fog Metallic Clear–Coat Exterior Paint', code: null },
  },
  {
    vin: '1G1YB2D43S5000000',
    make: 'Chevrolet',
    shows: 'a label whose paint is printed over two lines, with savings',
    state: 'held',
    paint: { color: 'EMBER GLOW METALLIC TINTCOAT', code: null },
  },
  {
    vin: 'JTEVB5BR6S5000000',
    make: 'Toyota',
    shows: 'a label that always prints a paint code',
    state: 'held',
    paint: { color: 'GLACIER MIST', code: '01M4' },
  },
  {
    vin: 'KMTGC4SC5TU000000',
    make: 'Genesis',
    shows: 'a paint code, because the paint is a priced option',
    state: 'held',
    paint: { color: 'SAVANNA GOLD', code: 'SG7' },
  },
  {
    vin: '5NMJECDE7TH000000',
    make: 'Hyundai',
    shows: 'no paint code, because the paint costs nothing extra',
    state: 'held',
    paint: { color: 'LAGOON BLUE', code: null },
  },
  {
    vin: '3N8AP6DA9SL000000',
    make: 'Nissan',
    shows: 'a label that is a picture: no paint, nothing to read',
    state: 'held',
  },
  { vin: '2LMPJ8J99PB000000', make: 'Lincoln', shows: 'no label at the manufacturer', state: 'none' },
  { vin: '5XYP5DGC4PG000000', make: 'Kia', shows: 'a label source that is switched off', state: 'off' },
  { vin: 'JF2SKAGC8RH000000', make: 'Subaru', shows: 'a label source that fails', state: 'failed' },
  { vin: '1HGCV3F53MA000000', make: 'Honda', shows: 'a make that publishes no labels', state: 'no-source' },
  {
    vin: '1ZZAA1AA8TA000000',
    make: '',
    shows: 'a manufacturer that nobody has registered',
    state: 'no-source',
  },
  { vin: '5GAEVAKW4RJ000000', make: 'Buick', shows: 'a wrong check digit', state: 'none' },
];
