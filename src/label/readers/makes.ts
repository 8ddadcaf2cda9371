import type { ReaderFamily } from '../types.ts';

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

/** First characters of VINs whose make they settle; those that makes share are left out. */
const STARTS: Record<string, string> = {
  Ford: '1FA 1FB 1FC 1FD 1FM 1FT 2FM 3FA 3FM 3FT',
  Lincoln: '1LN 2LM 3LN 5LM',
  Chevrolet: '1G1 1GA 1GB 1GC 1GN 2G1 2GC 2GN 3G1 3GC 3GN KL7 KL8',
  GMC: '1GD 1GK 1GT 2GK 2GT 3GK 3GT',
  Buick: '1G4 2G4 5GA KL4 LRB W04',
  Cadillac: '1G6 1GY 2G6 3GY',
  Hyundai: '5NM 5NP 5NT 7YA KM8 KMH',
  Genesis: '5NMM KMT KMU',
  Kia: '3KP 5XX 5XY KNA KND',
  Subaru: '4S3 4S4 JF1 JF2',
  Lexus: '2T2 58A JTH JTJ',
  Toyota: '2T1 2T3 3TM 3TY 4T1 4T3 5TD 5TF 5YF 7MU JTD JTE JTM JTN',
  Nissan: '1N4 1N6 3N1 3N8 5N1 JN8',
  Infiniti: 'JN1 5N3 3PC',
};

/** The make that a VIN's first characters settle, the longest that fit. */
export function makeOfVin(vin: string | null | undefined): string | undefined {
  const fits = Object.entries(STARTS).flatMap(([make, starts]) =>
    starts.split(' ').flatMap((start) => (vin?.startsWith(start) ? [{ make, length: start.length }] : [])),
  );
  return fits.toSorted((one, other) => other.length - one.length)[0]?.make;
}
