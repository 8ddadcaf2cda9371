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
