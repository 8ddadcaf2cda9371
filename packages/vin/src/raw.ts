/** A position that holds a character not valid there, and the characters that are (digits first). */
export interface WrongPosition {
  /** 1–17, as people count. */
  position: number;
  valid: string;
}

/** What the procedure itself says about a VIN, before it is put into words. */
export interface RawDecode {
  vin: string;
  /** vPIC's error codes in ascending order, `[0]` for a clean decode. */
  codes: number[];
  /** vPIC's suggested VIN, `!` where it only knows that a position is wrong; null when it has nothing to suggest. */
  suggested: string | null;
  /** Codes 2–5: the positions that are not valid for this manufacturer and year. */
  wrong: WrongPosition[];
  /** The same as vPIC prints it, `(position:characters)…`; for code 3 only the right character. */
  possibleValues: string;
  /** Code 400: positions whose character has no place there. */
  outOfPlace: number[];
  /** Code 14: positions of 4–8 and 11 that say nothing to the decode. */
  unused: number[];
  /** vPIC's vehicle type id (2 car, 3 truck, 7 MPV, 10 incomplete …), null when the manufacturer is unknown. */
  vehicleType: number | null;
  manufacturer: string | null;
  make: string | null;
  modelYear: number | null;
  /** The year thirty away that the VIN may mean as well; null when the year is certain. */
  otherYear: number | null;
  /** The body class says that the vehicle was sold unfinished, or its type is "incomplete". */
  incomplete: boolean;
  /** Code 9. */
  glider: boolean;
  /** Code 10. */
  offRoad: boolean;
}
