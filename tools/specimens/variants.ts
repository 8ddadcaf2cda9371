/** Labels that are harder to read than a maker's usual one: other countries, other languages, broken files. */
import type { LabelOptions } from './draw.ts';

export const variants: Readonly<Record<string, LabelOptions>> = {
  'a French Stellantis label': {
    vin: '1C4RJHBR7TC000000',
    make: 'Jeep',
    market: 'CA',
    language: 'fr',
    exterior: 'GRIS BRUME MÉTALLISÉ',
    interior: 'NOIR',
    engine: 'Moteur 4 cyl. turbo de 2,0 L',
    transmission: 'Boîte automatique 8 vitesses',
    base: 6089500,
    options: [
      {
        name: 'ENSEMBLE REMORQUAGE',
        price: 109500,
        children: ['Attelage de classe IV', 'Faisceau à 7 broches'],
      },
      { name: 'Moteur diesel 6 cyl. de 6,7L', price: 1000000 },
      { name: 'SUPPRESSION DE LA ROUE DE SECOURS', price: -44500 },
    ],
    taxes: [{ name: 'TAXE ACCISE FEDERALE – CLIMATISEUR', price: 10000 }],
    destination: 289500,
    standard: {
      'CARACTÉRISTIQUES INTÉRIEURES': ['Sièges avant chauffants', 'Volant gainé de cuir'],
    },
  },
  'a Canadian GM label': {
    vin: '1G1YB2D43S5000000',
    make: 'Chevrolet',
    year: 2025,
    market: 'CA',
    exterior: 'BLEU RIVIERE PROFONDE METALLISE',
    interior: 'NOIR JAIS',
    discounts: [],
    taxes: [{ name: 'AIR CONDITIONING CHARGE', price: 10000 }],
    fees: [{ name: 'MAXIMUM DEALER FEE', price: 69900 }],
  },
  'a GM label with different equipment under a white rectangle': {
    vin: '1G1YB2D43S5000000',
    make: 'Cadillac',
    year: 2025,
    specimen: true,
  },
  'a GM label with a damaged cross-reference table': {
    vin: '1G1YB2D43S5000000',
    make: 'Buick',
    year: 2025,
    damagedXref: true,
  },
  'a Stellantis label whose options fill both columns': {
    vin: '1C4RJHBR7TC000000',
    make: 'Ram',
    options: [
      {
        name: 'Customer Preferred Package 99Y',
        price: 895500,
        children: Array.from({ length: 30 }, (_, index) => `Detail Number ${index + 1} of the Package`),
      },
      { name: 'Spray–In Bedliner', price: 64500 },
    ],
  },
  'a Ford label with priced options in both columns': {
    vin: '1FMUK8DH0TG000000',
    make: 'Ford',
    exterior: '4 SEASONS WHEELBASE GRAY',
    // The second column lists them beside the prices of the car, line by line.
    options: Array.from({ length: 48 }, (_, index) => ({
      name: `OPTION ${String.fromCharCode(65 + (index % 26))}${index < 26 ? '' : ' DELUXE'}`,
      price: index % 5 === 4 ? null : 10_000 + 500 * index,
    })),
  },
  'a Lincoln label with two discounts': {
    vin: '1FMUK8DH0TG000000',
    make: 'Lincoln',
    discounts: [
      { name: 'FIRST DISCOUNT', price: -200_000 },
      { name: 'SECOND DISCOUNT', price: -50_000 },
    ],
  },
};
