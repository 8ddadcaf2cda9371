import type { BodyClass, CodedElements, DriveType, FuelTypePrimary } from './enums.ts';

/** One of the values we know, or one of a later release. */
type Known<T extends string> = T | (string & {});

/** The vehicle as the API answers it: vPIC's own words, null where it says nothing. */
export interface Vehicle {
  year: string | null;
  make: string | null;
  model: string | null;
  trim: string | null;
  bodyClass: Known<BodyClass> | null;
  driveType: Known<DriveType> | null;
  doors: string | null;
  engine: { displacement: string | null; cylinders: string | null; fuel: Known<FuelTypePrimary> | null };
  transmission: string | null;
  plant: string | null;
  manufacturer: string | null;
}

export interface Decoded {
  vin: string;
  /** Null when the manufacturer is not registered (code 7). */
  vehicle: Vehicle | null;
  /** vPIC's error codes, `[0]` for a clean decode. */
  codes: number[];
  /** vPIC's suggested VIN, `!` where it only knows that a position is wrong. */
  suggested: string | null;
  /** One readable sentence or several, null when all is well. */
  warning: string | null;
  /** The VIN that was probably meant, where the evidence is strong and no other VIN fits: the one that `warning` names. */
  repair: string | null;
  /** The model year thirty away that fits as well, null when the year is certain. `settleYear` removes the doubt. */
  otherYear: string | null;
}

/** One public element of a full decode. */
export interface DecodedElement {
  id: number;
  name: string;
  /** Its key in the web API's flat answers. */
  code: string;
  group: string | null;
  value: string;
  /** The row of vPIC's look-up table, as the web API prints it; empty for what is no look-up. */
  valueId: string;
  source: 'pattern' | 'formula' | 'engine model' | 'vehicle spec' | 'conversion' | 'default' | 'wmi' | 'vin';
}

export interface DecodedFull extends Decoded {
  elements: DecodedElement[];
  /** `(position:characters)…` as vPIC prints it. */
  possibleValues: string;
}

export interface DecodeOptions {
  /** The day the answer is made for; model years beyond it plus two are thirty years earlier. Default: today. */
  now?: Date;
  /** The model year, where you know it: for VINs that could mean two, or that do not say. */
  modelYear?: number;
}

/** One result of NHTSA's `DecodeVin`. */
export interface VpicVariable {
  Value: string | null;
  ValueId: string | null;
  Variable: string;
  VariableId: number;
}

/** The result of NHTSA's `DecodeVinValues`: every key, empty where vPIC says nothing. */
export type VpicValues = Record<string, string> & {
  [Code in keyof CodedElements]?: Known<CodedElements[Code]>;
};

export interface Make {
  id: number;
  name: string;
}

export interface Model {
  id: number;
  name: string;
  make: Make;
  /** Null unless a vehicle type was asked for. */
  vehicleType: { id: number; name: string } | null;
}

export interface ModelFilter {
  year?: number;
  /** Part of the type's name, such as `truck`. */
  vehicleType?: string;
}

/**
 * What a test VIN should be. Everything is optional; the same options always give the same VIN from the same data.
 * Test VINs have a right check digit and decode without errors. They're made up, but their serial number may belong to
 * a real vehicle: use them for tests only.
 */
export interface TestVinOptions {
  /** The whole name of a make, in either case. */
  make?: string;
  /** The whole name of a model, in either case. */
  model?: string;
  year?: number;
  /** A manufacturer identifier of three or six characters. */
  wmi?: string;
  /** Another number gives another VIN. Default: 1. */
  seed?: number;
  /** As in `DecodeOptions`. */
  now?: Date;
}

/** A world manufacturer identifier. */
export interface WmiInfo {
  wmi: string;
  manufacturer: string;
  manufacturerId: number;
  makes: Make[];
  vehicleType: string | null;
  /** The day NHTSA published it. */
  published: string;
}

export interface Vpic {
  /** Release month of the data, `2026-10`. */
  month: string;
  /** SHA-256 of the dump it was compiled from. */
  input: string;
  counts: Record<string, number>;
  decode(vin: string, options?: DecodeOptions): Decoded;
  decodeFull(vin: string, options?: DecodeOptions): DecodedFull;
  /**
   * What decides the decode of a VIN nothing is wrong with: the VIN without its check digit and serial number. Two
   * VINs of one kind decode alike. Null where that is not so, or where something may be wrong.
   */
  kindOf(vin: string): string | null;
  /** Decodes one VIN after the other, as they are asked for. */
  decodeMany(vins: Iterable<string>, options?: DecodeOptions): IterableIterator<Decoded>;
  /** As NHTSA's `DecodeVinValues` answers. */
  values(vin: string, options?: DecodeOptions): VpicValues;
  /** As NHTSA's `DecodeVin` answers; `extended` as `DecodeVinExtended` does. */
  variables(vin: string, options?: DecodeOptions & { extended?: boolean }): VpicVariable[];
  /** Who a three- or six-character manufacturer identifier belongs to. */
  wmi(code: string): WmiInfo | null;
  /** Every make, by name. */
  makes(): Make[];
  /** The models of makes whose name contains `make`, or of the make with that id. A number as `filter` is a year. */
  models(make: string | number, filter?: ModelFilter | number): Model[];
  /** A made-up VIN for tests, see `TestVinOptions`. Null where the data has no such vehicle. */
  testVin(options?: TestVinOptions): string | null;
  /**
   * The VIN that was probably meant by a VIN that cannot be right, or by a text with I, O or Q in it, with a character
   * missing (16) or doubled (18). Null where the evidence is weak or several VINs fit.
   */
  repair(text: string, options?: DecodeOptions): string | null;
  /** The VINs that may have been meant, likeliest first, twenty at most: for a list to choose from. */
  candidates(text: string, options?: DecodeOptions): string[];
  /** The makes that vPIC lists for the manufacturer's identifier, in capitals; empty when nobody knows it. */
  makesOf(vin: string): string[];
}
