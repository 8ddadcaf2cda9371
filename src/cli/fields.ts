import { parseVin, tidyVin, vinsIn, type Decoded, type DecodedFull, type Vpic } from '@monroney/vin';

/** One decoded VIN, with what is needed to print any field of it. */
interface Source {
  decoded: Decoded;
  /** Every element of vPIC by its code. */
  values(): Record<string, string>;
}

/** The columns of a table of decoded VINs, besides `vin` and `error`. */
const FLAT: Record<string, (source: Source) => string | null> = {
  year: ({ decoded: { vehicle } }) => vehicle?.year ?? null,
  make: ({ decoded: { vehicle } }) => vehicle?.make ?? null,
  model: ({ decoded: { vehicle } }) => vehicle?.model ?? null,
  trim: ({ decoded: { vehicle } }) => vehicle?.trim ?? null,
  body_class: ({ decoded: { vehicle } }) => vehicle?.bodyClass ?? null,
  drive_type: ({ decoded: { vehicle } }) => vehicle?.driveType ?? null,
  doors: ({ decoded: { vehicle } }) => vehicle?.doors ?? null,
  displacement: ({ decoded: { vehicle } }) => vehicle?.engine.displacement ?? null,
  cylinders: ({ decoded: { vehicle } }) => vehicle?.engine.cylinders ?? null,
  fuel: ({ decoded: { vehicle } }) => vehicle?.engine.fuel ?? null,
  transmission: ({ decoded: { vehicle } }) => vehicle?.transmission ?? null,
  plant: ({ decoded: { vehicle } }) => vehicle?.plant ?? null,
  manufacturer: ({ decoded: { vehicle } }) => vehicle?.manufacturer ?? null,
  codes: ({ decoded: { codes } }) => codes.join(','),
  suggested: ({ decoded: { suggested } }) => suggested,
  warning: ({ decoded: { warning } }) => warning,
};

export const FLAT_FIELDS: readonly string[] = Object.keys(FLAT);

/** Fields with the names and the nesting of the API. */
const NESTED: Record<string, (decoded: DecodedFull) => unknown> = {
  vehicle: ({ vehicle }) => vehicle,
  codes: ({ codes }) => codes,
  suggested: ({ suggested }) => suggested,
  warning: ({ warning }) => warning,
  possibleValues: ({ possibleValues }) => possibleValues,
  elements: ({ elements }) => elements,
};

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

export const API_FIELDS = ['vehicle', 'codes', 'suggested', 'warning'];
export const FULL_FIELDS = [...API_FIELDS, 'possibleValues', 'elements'];

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
  const print = fields.map((field) => NESTED[field]!);
  return (vin) => {
    const decoded = decode(vin, options) as DecodedFull;
    return print.map((field) => field(decoded));
  };
}

function flatCells(vpic: Vpic, { fields }: DecodePlan, options: Options): (vin: string) => unknown[] {
  const print = fields.map((field) => FLAT[field] ?? (({ values }: Source) => values()[field] || null));
  // All elements take longer, so they are decoded only if a field needs them.
  const isFull = fields.some((field) => !Object.hasOwn(FLAT, field));
  const isOnlyFull = fields.every((field) => !Object.hasOwn(FLAT, field));
  return (vin) => {
    const values = isFull ? vpic.values(vin, options) : {};
    const source = { decoded: isOnlyFull ? EMPTY : vpic.decode(vin, options), values: () => values };
    return print.map((field) => field(source));
  };
}

const EMPTY: Decoded = {
  vin: '',
  vehicle: null,
  codes: [],
  suggested: null,
  warning: null,
  repair: null,
  otherYear: null,
};

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
