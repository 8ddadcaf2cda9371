/** The labels of the specimen VINs. Each agrees with the decode of its VIN. */
import { loadVpic } from '@monroney/vin';
import { sources } from '../../src/makers/index.ts';
import type { LabelOptions } from './draw.ts';

const vpic = loadVpic();

export const specimenLabels: readonly LabelOptions[] = sources
  .flatMap(({ specimens = [] }) => specimens)
  .filter(({ state }) => state === 'held')
  .map(({ vin, make }) => ({
    vin,
    make,
    year: Number(vpic.decode(vin).vehicle!.year),
    specimen: true,
  }));
