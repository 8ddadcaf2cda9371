import type {
  BodyClass,
  CodedElements,
  DriveType,
  ElectrificationLevel,
  FuelTypePrimary,
} from './generated/enums.ts';

/** A known value, or one of a later release. */
type Known<T extends string> = T | (string & {});

/** The vehicle, as vPIC prints it. Null where vPIC has no value. */
export interface Vehicle {
  year: string | null;
  make: string | null;
  model: string | null;
  trim: string | null;
  bodyClass: Known<BodyClass> | null;
  driveType: Known<DriveType> | null;
  doors: string | null;
  engine: {
    displacement: string | null;
    cylinders: string | null;
    fuel: Known<FuelTypePrimary> | null;
    electrification: Known<ElectrificationLevel> | null;
    horsepower: string | null;
  };
  transmission: string | null;
  plant: string | null;
  manufacturer: string | null;
}

export interface Decoded {
  vin: string;
  /** Null if the manufacturer isn't registered with NHTSA (code 7). */
  vehicle: Vehicle | null;
  /** vPIC's error codes, `[0]` for a clean decode. */
  codes: number[];
  /** vPIC's suggested VIN, with `!` where it only knows that a position is wrong. */
  suggested: string | null;
  /** What's wrong, in plain sentences; null if nothing is. */
  warning: string | null;
  /** The VIN that was probably meant, if the evidence is strong and no other VIN fits. `warning` names it. */
  repair: string | null;
  /** The other possible model year, thirty years away; null if the year is certain. See `settleYear`. */
  otherYear: string | null;
}

/** One public element of a full decode. */
export interface DecodedElement {
  id: number;
  name: string;
  /** Its key in the web API's flat responses. */
  code: string;
  group: string | null;
  value: string;
  /** The id in vPIC's lookup table, as the web API prints it; empty if the element has none. */
  valueId: string;
  source: 'pattern' | 'formula' | 'engine model' | 'vehicle spec' | 'conversion' | 'default' | 'wmi' | 'vin';
}

export interface DecodedFull extends Decoded {
  elements: DecodedElement[];
  /** `(position:characters)…` as vPIC prints it. */
  possibleValues: string;
}

/** One field of many VINs. */
export interface DecodedColumn {
  /** For each VIN the index of its value; 0 where there is none. 32 bits for more than 65,535 VINs. */
  indexes: Uint16Array | Uint32Array;
  /** The values in the order of their first use; the first is null. Each once, except where VINs rarely share one. */
  values: (string | null)[];
}

export interface DecodeOptions {
  /** The date to decode for. A model year more than two years later means the one thirty years earlier. Default: today. */
  now?: Date;
  /** The model year, if you know it: for VINs that may mean two years, or none. */
  modelYear?: number;
}

/** One result of NHTSA's `DecodeVin`. */
export interface VpicVariable {
  Value: string | null;
  ValueId: string | null;
  Variable: string;
  VariableId: number;
}

/** The result of NHTSA's `DecodeVinValues`: every key, empty where vPIC has no value. */
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
  /** Null unless you filtered by vehicle type. */
  vehicleType: { id: number; name: string } | null;
}

export interface ModelFilter {
  year?: number;
  /** A part of the type's name, such as `truck`. */
  vehicleType?: string;
}

/**
 * What a test VIN should be. Everything is optional; the same options always give the same VIN from the same data.
 * Test VINs have a right check digit and decode without errors. They're made up, but their serial number may belong to
 * a real vehicle: use them for tests only.
 */
export interface TestVinOptions {
  /** The full name of a make, in any case. */
  make?: string;
  /** The full name of a model, in any case. */
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
  /** The date when NHTSA published it. */
  published: string;
}

export interface VehicleType {
  id: number;
  name: string;
}

export interface Manufacturer {
  id: number;
  name: string;
  vehicleTypes: VehicleType[];
}

export interface MakeOfType {
  make: Make;
  vehicleType: VehicleType;
}

export interface ManufacturerWmi {
  wmi: string;
  manufacturer: { id: number; name: string };
  vehicleType: VehicleType | null;
  /** The date when NHTSA published it. */
  published: string;
}

/** What a decode can tell: one of NHTSA's elements. */
export interface VariableInfo {
  id: number;
  name: string;
  group: string | null;
  /** `lookup`, `string`, `int` or `decimal`. */
  dataType: string;
}

/** The lists of NHTSA's API, sorted by id. A number is an id, a text part of a name. Long lists come in parts; some are empty. */
export interface VpicLists {
  makeTypes(filter: { make?: string | number; vehicleType?: string | number }): Iterable<MakeOfType[]>;
  manufacturers(wanted?: string | number): Iterable<Manufacturer[]>;
  manufacturerPage(from: number, count: number): Manufacturer[];
  /** With a year, only makes of identifiers that have VIN patterns for it. */
  manufacturerMakes(
    wanted: string | number,
    year?: number,
  ): Iterable<{ manufacturer: { id: number; name: string }; make: Make }[]>;
  wmis(filter: {
    manufacturer?: string | number;
    vehicleType?: string | number;
  }): Iterable<ManufacturerWmi[]>;
  variableList(): VariableInfo[];
  /** The values of a coded variable; here the text is its full name. */
  variableValues(wanted: string | number): Iterable<{ variable: string; id: number; name: string }[]>;
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
   * The VIN without its check digit and serial number. Two VINs with the same kind decode alike. Null if the serial
   * number matters, or if something may be wrong with the VIN.
   */
  kindOf(vin: string): string | null;
  /** Decodes one VIN at a time, as you read from it. */
  decodeMany(vins: Iterable<string>, options?: DecodeOptions): IterableIterator<Decoded>;
  /**
   * Returns a function that decodes many VINs into columns, several times as fast as one by one. Fields: `year`, `make`, `model`, `trim`, `bodyClass`,
   * `driveType`, `doors`, `displacement`, `cylinders`, `fuel`, `electrification`, `horsepower`, `transmission`, `plant`,
   * `manufacturer`, `codes`, `suggested`, `warning`, `repair`, `otherYear`, and the keys of `values`, such as `GVWR`. A VIN
   * that is null has no values. Throws RangeError if there's no such field.
   */
  columns(
    fields: readonly string[],
    options?: DecodeOptions,
  ): (vins: readonly (string | null)[]) => DecodedColumn[];
  /** In the shape of NHTSA's `DecodeVinValues`. */
  values(vin: string, options?: DecodeOptions): VpicValues;
  /** In the shape of NHTSA's `DecodeVin`, or with `extended` of `DecodeVinExtended`. */
  variables(vin: string, options?: DecodeOptions & { extended?: boolean }): VpicVariable[];
  /** The manufacturer with an identifier of three or six characters. */
  wmi(code: string): WmiInfo | null;
  /** Every make, by name. */
  makes(): Make[];
  /** The models of makes whose name contains `make`, or of the make with that id. A number as `filter` is a year. */
  models(make: string | number, filter?: ModelFilter | number): Model[];
  /** A made-up VIN for tests, see `TestVinOptions`. Null where the data has no such vehicle. */
  testVin(options?: TestVinOptions): string | null;
  /**
   * The VIN that was probably meant by a wrong VIN, or by a text with I, O or Q, a missing character (16) or a doubled
   * one (18). Null if the evidence is weak or several VINs fit.
   */
  repair(text: string, options?: DecodeOptions): string | null;
  /** Up to twenty VINs that may have been meant, likeliest first, to choose from. */
  candidates(text: string, options?: DecodeOptions): string[];
  /** The makes of the VIN's manufacturer, in capitals; empty if it's unknown. */
  makesOf(vin: string): string[];
}

/** A position with an invalid character, and the valid ones (digits first). */
export interface WrongPosition {
  /** 1–17. */
  position: number;
  valid: string;
}

/** The raw result of the procedure for a VIN. */
export interface RawDecode {
  vin: string;
  /** vPIC's error codes in ascending order, `[0]` for a clean decode. */
  codes: number[];
  /** vPIC's suggested VIN, with `!` where it only knows that a position is wrong; null if there is none. */
  suggested: string | null;
  /** Codes 2–5: the positions that aren't valid for this manufacturer and year. */
  wrong: WrongPosition[];
  /** The same as vPIC prints it, `(position:characters)…`; for code 3 only the right character. */
  possibleValues: string;
  /** Code 400: positions with a character that isn't allowed there. */
  invalidPositions: number[];
  /** Code 14: positions among 4–8 and 11 that no pattern explains. */
  unused: number[];
  /** False if no pattern names a model. */
  hasModel?: boolean;
  /** vPIC's vehicle type id (2 car, 3 truck, 7 MPV, 10 incomplete …); null if the manufacturer is unknown. */
  vehicleType: number | null;
  manufacturer: string | null;
  make: string | null;
  modelYear: number | null;
  /** The other model year that the VIN may mean, thirty years away; null if the year is certain. */
  otherYear: number | null;
  /** The vehicle was sold incomplete, by its body class or vehicle type. */
  incomplete: boolean;
  /** Code 9. */
  glider: boolean;
  /** Code 10. */
  offRoad: boolean;
}
