import type { Vehicle } from '@monroney/vin';
import { hasRightCheckDigit } from '@monroney/vin/check-digit';
import { nameParts, shortName } from '@monroney/label/lib/names';
import { titleCase } from '@monroney/label/lib/words';
import { engineWords, kindWord, plantWords } from './everyday-words.ts';
import type { GroupName } from './vin-cells.ts';

/** What manufacturer identifiers that stand for one kind of vehicle are used for. NHTSA names the kind only from position 4 on. */
const KINDS: Readonly<Record<string, string>> = {
  pickup: '1FT 2FT 3FT 1GC 2GC 3GC 1GT 2GT 3GT 1C6 3C6 1D7 3D7 3TM 3TY 5TF 5TB 1N6 5FP 7FC',
  SUV: '1FM 1GN 1GK 1GY 1C4 1J4 1J8 3GN 3GK 5GA 5J6 5N1 5NM 5UX 5XY 2HK 2T3 4T3 5TD 4JG 7SA JF2 JTE JTM JN8 KNM SAL WA1 WP1',
  car: '1FA 1G1 1G6 1HG 19X 1N4 2HG 3FA 3VW 4T1 5YJ 5NP JF1 JH4 JM1 JTD JTH KMH KNA WAU WBA WDD WP0 WVW ZFF',
  van: '2C4 2C7 1GA 1GB WD3 W1Y ZFB 3C6T',
};

const kindOf = (vin: string): string | undefined =>
  Object.keys(KINDS).find((kind) => KINDS[kind]!.split(' ').includes(vin.slice(0, 3)));

/** What each group of a VIN means, as far as it is typed. `make` is what the sticker says, if there is one. */
export function vinNotes(
  vin: string,
  vehicle: Vehicle | null,
  serial: string,
  make = vehicle?.make ?? null,
): Partial<Record<GroupName, string>> {
  const check = vin.length < 17 ? '' : hasRightCheckDigit(vin) ? 'valid' : 'invalid';
  if (!vehicle) return { maker: vin.length < 3 ? '' : 'not registered', check, serial };
  const model = vehicle.model && shortName(nameParts(vehicle, null));
  return {
    maker: make
      ? [titleCase(make), kindWord(vehicle) ?? kindOf(vin)].filter(Boolean).join(', ')
      : 'unknown make',
    vehicle: [model, engineWords(vehicle)?.split(',')[0]].filter(Boolean).join(', '),
    check,
    year: vehicle.year ?? '',
    plant: shortPlant(plantWords(vehicle)),
    serial,
  };
}

/** Only a short name fits below one cell: the city, else the state, else the country. */
function shortPlant(plant: string | null): string {
  if (!plant) return '';
  return plant.split(', ').find((part) => part.length <= 9) ?? 'USA';
}
