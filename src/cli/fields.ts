import { parseVin, tidyVin, vinsIn, type Decoded, type DecodedFull, type Vpic } from '@monroney/vin';

/** The columns of a table of decoded VINs, besides `vin` and `error`. */
const FLAT: Record<string, (decoded: Decoded) => string | null> = {
  year: ({ vehicle }) => vehicle?.year ?? null,
  make: ({ vehicle }) => vehicle?.make ?? null,
  model: ({ vehicle }) => vehicle?.model ?? null,
  trim: ({ vehicle }) => vehicle?.trim ?? null,
  body_class: ({ vehicle }) => vehicle?.bodyClass ?? null,
  drive_type: ({ vehicle }) => vehicle?.driveType ?? null,
  doors: ({ vehicle }) => vehicle?.doors ?? null,
  displacement: ({ vehicle }) => vehicle?.engine.displacement ?? null,
  cylinders: ({ vehicle }) => vehicle?.engine.cylinders ?? null,
  fuel: ({ vehicle }) => vehicle?.engine.fuel ?? null,
  transmission: ({ vehicle }) => vehicle?.transmission ?? null,
  plant: ({ vehicle }) => vehicle?.plant ?? null,
  manufacturer: ({ vehicle }) => vehicle?.manufacturer ?? null,
  codes: ({ codes }) => codes.join(','),
  suggested: ({ suggested }) => suggested,
  warning: ({ warning }) => warning,
};

export const FLAT_FIELDS: readonly string[] = Object.keys(FLAT);

/** What to print about each VIN. Can be sent to another thread. */
export interface DecodePlan {
  /** Columns between `vin` and `error`. */
  fields: readonly string[];
  /** `api`: the API's objects; `full`: with every element; `flat`: text in each field. */
  shape: 'api' | 'full' | 'flat';
  /** The day to decode for, in milliseconds; null for today. */
  now: number | null;
  modelYear: number | null;
}

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
  return fields.find((field) => !Object.hasOwn(FLAT, field) && !codes.has(field));
}

export interface DecodedCells {
  /** Null if the text has no VIN, or more than one. */
  vin: string | null;
  /** As in the columns: the VIN or the text, the fields, the error. */
  cells: unknown[];
  error: string | null;
}

const MAX_ECHOED_CHARACTERS = 100;

/** Returns a function that decodes the text of one row. */
export function cellDecoder(vpic: Vpic, plan: DecodePlan): (text: string) => DecodedCells {
  const options = {
    ...(plan.now === null ? {} : { now: new Date(plan.now) }),
    ...(plan.modelYear === null ? {} : { modelYear: plan.modelYear }),
  };
  const cellsOf = plan.shape === 'flat' ? flatCells(vpic, plan, options) : apiCells(vpic, plan, options);
  const missing = plan.fields.map(() => (plan.shape === 'flat' ? null : undefined));
  const noError = plan.shape === 'flat' ? null : undefined;
  return (text) => {
    const found = vinIn(text);
    if ('vin' in found)
      return { vin: found.vin, cells: [found.vin, ...cellsOf(found.vin), noError], error: null };
    return {
      vin: null,
      cells: [text.slice(0, MAX_ECHOED_CHARACTERS), ...missing, found.error],
      error: found.error,
    };
  };
}

type Options = Parameters<Vpic['decode']>[1];

function apiCells(vpic: Vpic, { fields, shape }: DecodePlan, options: Options): (vin: string) => unknown[] {
  const decode = shape === 'full' ? vpic.decodeFull : vpic.decode;
  return (vin) => {
    const decoded = decode(vin, options) as DecodedFull;
    return fields.map((field) => decoded[field as keyof DecodedFull]);
  };
}

function flatCells(vpic: Vpic, { fields }: DecodePlan, options: Options): (vin: string) => unknown[] {
  const print = fields.map((field) => FLAT[field] ?? field);
  // All elements take longer, so they are decoded only if a field needs them.
  const needsElements = print.some((field) => typeof field === 'string');
  const needsVehicle = print.some((field) => typeof field !== 'string');
  return (vin) => {
    const elements = needsElements ? vpic.values(vin, options) : {};
    const decoded = needsVehicle ? vpic.decode(vin, options) : null;
    return print.map((field) => (typeof field === 'string' ? elements[field] || null : field(decoded!)));
  };
}

/** Up to seventeen characters, with `*` for unknown ones. */
const PARTIAL_VIN = /^(?=.*\*)[A-HJ-NPR-Z0-9*]{3,17}$/;

/** The VIN in a text, which may say more than that. */
export function vinIn(text: string): { vin: string } | { error: string } {
  const tidy = tidyVin(text);
  const parsed = parseVin(tidy);
  if (parsed.ok) return { vin: parsed.vin };
  if (PARTIAL_VIN.test(tidy)) return { vin: tidy };
  const found = vinsIn(text);
  if (found.length === 1) return { vin: found[0]! };
  if (found.length > 1) return { error: `There are ${found.length} VINs here. Give one per row.` };
  return { error: parsed.message };
}
