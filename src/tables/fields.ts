import { isVin, tidyVin, type Decoded, type DecodedFull, type DecodeOptions, type Vpic } from '@monroney/vin';
import type { OutputColumn } from './output-columns.ts';
import type { ColumnType } from './table.ts';
import { vinIn } from './vin-cell.ts';

/** Fields of a decoded VIN, by the names of columns: what the decoder calls them, and their types. */
const FIELDS: Record<string, { from: string; type?: ColumnType }> = {
  year: { from: 'year', type: 'integer' },
  make: { from: 'make' },
  model: { from: 'model' },
  trim: { from: 'trim' },
  body_class: { from: 'bodyClass' },
  drive_type: { from: 'driveType' },
  doors: { from: 'doors', type: 'integer' },
  displacement: { from: 'displacement', type: 'double' },
  cylinders: { from: 'cylinders', type: 'integer' },
  fuel: { from: 'fuel' },
  transmission: { from: 'transmission' },
  plant: { from: 'plant' },
  manufacturer: { from: 'manufacturer' },
  codes: { from: 'codes' },
  // The VIN that was probably meant. What NHTSA suggests is the element SuggestedVIN.
  suggested: { from: 'repair' },
  warning: { from: 'warning' },
};

export const TABLE_FIELDS: readonly string[] = Object.keys(FIELDS);
export const fieldType = (field: string): ColumnType =>
  (Object.hasOwn(FIELDS, field) ? FIELDS[field]!.type : undefined) ?? 'text';

/** With the names and the nesting of the API. */
export const API_FIELDS = ['vehicle', 'codes', 'suggested', 'warning'] as const satisfies (keyof Decoded)[];
export const FULL_FIELDS = [
  ...API_FIELDS,
  'possibleValues',
  'elements',
] as const satisfies (keyof DecodedFull)[];

/** The codes of all elements, as NHTSA's flat responses have them. */
export const elementCodes = (vpic: Vpic): string[] =>
  Object.keys(vpic.values('')).filter((code) => code !== 'VIN');

/** The first of the fields that there is no value for. */
export function unknownField(fields: readonly string[], vpic: Vpic): string | undefined {
  const codes = new Set(elementCodes(vpic));
  return fields.find((field) => !Object.hasOwn(FIELDS, field) && !codes.has(field));
}

/** What to write about each VIN. Can be sent to another thread. */
export interface DecodePlan {
  /** Columns between `vin` and `error`. */
  fields: readonly string[];
  /** `api`: the API's objects; `full`: with every element; `flat`: one value in each field. */
  shape: 'api' | 'full' | 'flat';
  /** The day to decode for, in milliseconds; null for today. */
  now: number | null;
  modelYear: number | null;
  /** Whether a VIN with one possible correction is replaced by it. */
  correct: boolean;
}

const MAX_ECHOED_CHARACTERS = 100;

/** The VINs of some rows. */
export interface FoundVins {
  /** Null if the row has no VIN, or more than one. */
  vins: (string | null)[];
  errors: (string | null)[];
}

export function decoder(vpic: Vpic, plan: DecodePlan) {
  const options: DecodeOptions = {
    ...(plan.now === null ? {} : { now: new Date(plan.now) }),
    ...(plan.modelYear === null ? {} : { modelYear: plan.modelYear }),
  };

  function find(texts: readonly string[]): FoundVins {
    const vins: (string | null)[] = [];
    const errors: (string | null)[] = [];
    for (let row = 0; row < texts.length; row++) {
      const text = texts[row]!;
      const found = isVin(text) ? { vin: text } : vinIn(text);
      vins.push('vin' in found ? found.vin : null);
      errors.push('vin' in found ? null : found.error);
    }
    return plan.correct ? corrected(texts, { vins, errors }) : { vins, errors };
  }

  const repairsOf = plan.correct ? vpic.columns(['repair'], options) : null;

  function corrected(texts: readonly string[], { vins, errors }: FoundVins): FoundVins {
    const [repairs] = repairsOf!(vins);
    const meant = vins.map(
      (vin, row) =>
        repairs!.values[repairs!.indexes[row]!] ?? vin ?? vpic.repair(tidyVin(texts[row]!), options),
    );
    return { vins: meant, errors: errors.map((error, row) => (meant[row] === null ? error : null)) };
  }

  const names = plan.fields.map((field) => (Object.hasOwn(FIELDS, field) ? FIELDS[field]!.from : field));
  const columnsOf = plan.shape === 'flat' ? vpic.columns(names, options) : null;

  /** The fields of VINs, one column each. */
  function flat({ vins }: FoundVins, texts: readonly string[]): OutputColumn[] {
    return columnsOf!(vins).map(({ indexes, values }, index) => {
      const name = plan.fields[index]!;
      if (name === 'suggested') {
        // What isn't a VIN may be nearly one.
        vins.forEach((vin, row) => {
          const repair = vin === null ? vpic.repair(tidyVin(texts[row]!), options) : null;
          if (repair !== null) indexes[row] = values.push(repair) - 1;
        });
      }
      const type = fieldType(name);
      // Liters, without their sign.
      return {
        name,
        type,
        indexes,
        values: type === 'double' ? values.map((text) => text?.replace('L', '') ?? null) : values,
      };
    });
  }

  /** The API's objects. */
  function nested({ vins }: FoundVins): OutputColumn[] {
    const decode = plan.shape === 'full' ? vpic.decodeFull : vpic.decode;
    const decoded = vins.map((vin) => (vin === null ? null : (decode(vin, options) as DecodedFull)));
    return plan.fields.map((name) => ({
      name,
      type: 'text',
      cells: decoded.map((each) => each?.[name as keyof DecodedFull]),
    }));
  }

  return {
    find,
    /** The columns `vin`, the fields and `error`. `echoes`: whether `vin` repeats a text without a VIN. */
    columns(found: FoundVins, texts: readonly string[], echoes: boolean): OutputColumn[] {
      const isFlat = plan.shape === 'flat';
      const echoed = found.vins.map(
        (vin, row) => vin ?? (echoes ? texts[row]!.slice(0, MAX_ECHOED_CHARACTERS) : null),
      );
      const errors = isFlat ? found.errors : found.errors.map((error) => error ?? undefined);
      return [
        { name: 'vin', type: 'text', cells: echoed },
        ...(isFlat ? flat(found, texts) : nested(found)),
        { name: 'error', type: 'text', cells: errors },
      ];
    },
  };
}
