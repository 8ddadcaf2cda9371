import type { Reader } from '../reading/reader.ts';
import { reader as ford } from './ford/reader.ts';
import { reader as gm } from './gm/reader.ts';
import { reader as hyundai } from './hyundai/reader.ts';
import { reader as kia } from './kia/reader.ts';
import { reader as stellantis } from './stellantis/reader.ts';
import { reader as subaru } from './subaru/reader.ts';
import { reader as toyota } from './toyota/reader.ts';

interface LabelMaker {
  /** Null if the labels are pictures. */
  reader: Reader | null;
  /**
   * How many real labels of each make, one per VIN, our tests compare the reading with. Labels that nobody compared, our
   * own drawings and labels of a sister make don't count. Where it is 0, the reader is unproven. Makes are vPIC's names.
   */
  verifiedOn: Readonly<Record<string, number>>;
}

/** Every maker whose labels we know, one line each. */
const makers: readonly LabelMaker[] = [
  { reader: ford, verifiedOn: { FORD: 31, LINCOLN: 0 } },
  { reader: gm, verifiedOn: { CHEVROLET: 27, CADILLAC: 17, GMC: 1, BUICK: 1 } },
  {
    reader: stellantis,
    verifiedOn: { DODGE: 19, RAM: 10, JEEP: 5, CHRYSLER: 3, 'ALFA ROMEO': 1, FIAT: 0 },
  },
  { reader: subaru, verifiedOn: { SUBARU: 1 } },
  { reader: kia, verifiedOn: { KIA: 3 } },
  { reader: hyundai, verifiedOn: { HYUNDAI: 5, GENESIS: 2 } },
  { reader: toyota, verifiedOn: { TOYOTA: 4, LEXUS: 0 } },
  { reader: null, verifiedOn: { NISSAN: 0, INFINITI: 0 } },
];

export const readers: readonly Reader[] = makers.flatMap(({ reader }) => reader ?? []);

/** Makes whose labels a reader reads. */
export const readMakes: readonly string[] = makers.flatMap(({ reader, verifiedOn }) =>
  reader ? Object.keys(verifiedOn) : [],
);

/** The reader of a make, in any case: null if its labels are pictures, undefined if we know nothing of them. */
export function readerOf(make: string): Reader | null | undefined {
  return makerOf(make)?.reader;
}

/** How many real labels of this make its reader was checked against. */
export function verifiedOn(make: string): number {
  return makerOf(make)?.verifiedOn[make.toUpperCase()] ?? 0;
}

function makerOf(make: string): LabelMaker | undefined {
  return makers.find((maker) => Object.hasOwn(maker.verifiedOn, make.toUpperCase()));
}
