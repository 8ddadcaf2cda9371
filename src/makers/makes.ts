import type { ReaderFamily } from '../reading/types.ts';

/** Every make whose labels are text, as people write it, and the family its labels are printed in. */
const FAMILIES: Record<string, ReaderFamily> = {
  'Alfa Romeo': 'stellantis',
  Chrysler: 'stellantis',
  Dodge: 'stellantis',
  Fiat: 'stellantis',
  Jeep: 'stellantis',
  Ram: 'stellantis',
  Buick: 'gm',
  Cadillac: 'gm',
  Chevrolet: 'gm',
  GMC: 'gm',
  Ford: 'ford',
  Lincoln: 'ford',
  Genesis: 'hyundai',
  Hyundai: 'hyundai',
  Kia: 'kia',
  Subaru: 'subaru',
  Lexus: 'toyota',
  Toyota: 'toyota',
};

/** Their labels are pictures. */
const PICTURES = ['Infiniti', 'Nissan'];

const MAKES = [...Object.keys(FAMILIES), ...PICTURES];

/** The make as people write it: `ALFA ROMEO` is `Alfa Romeo`. */
export function makeAsWritten(make: string | null | undefined): string | undefined {
  const plain = make?.trim().toLowerCase();
  return plain ? MAKES.find((written) => written.toLowerCase() === plain) : undefined;
}

export function familyOf(make: string | undefined): ReaderFamily | undefined {
  return make === undefined ? undefined : FAMILIES[make];
}

export function isPictureMake(make: string | undefined): boolean {
  return make !== undefined && PICTURES.includes(make);
}
