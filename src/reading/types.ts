/** The text of a label's PDF, and a reader's result. Positions are points from the top left of the page, turned so
 * that its text is upright. */

/** One run of text as the PDF places it: `x` its left edge, `y` its baseline, `size` its font size. */
export interface TextItem {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  /** Rotated against most of the page: `x` and `y` are where it begins, and it belongs to no line. */
  sideways?: boolean;
}

export interface TextPage {
  width: number;
  height: number;
  /** Degrees by which the page is shown turned clockwise; positions are those of the upright page. */
  turn?: number;
  /** In the order the PDF draws them, which differs between programs that save it. */
  items: TextItem[];
  /** What is drawn instead of written: stars, bars and markers of the federal boxes. */
  shapes?: Shape[];
}

/** A drawn shape; `x` and `y` are its top left corner. */
export interface Shape {
  /** A five-pointed star, the frame of a picture, or the box around any other path. */
  kind: 'star' | 'picture' | 'box';
  x: number;
  y: number;
  width: number;
  height: number;
  /** Painted white or nearly so. */
  light?: true;
}

export interface LabelText {
  /** The extractor's version; stored texts of other versions are extracted again. */
  version: number;
  /** False for recorded plain text, whose lines have no true positions. */
  positioned: boolean;
  pages: TextPage[];
  /** There is more text, but larger files aren't labels. */
  incomplete?: true;
}

/** Where on the page something was read, so that a page can point at it. */
export interface Box {
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Paint {
  color: string;
  code: string | null;
}

/** Money is integer cents of the label's currency; a credit is negative. */
export interface PriceLine {
  name: string;
  price: number | null;
  at?: Box;
}

export interface OptionLine extends PriceLine {
  /** The manufacturer's code, where printed before the name. */
  code?: string;
  children: string[];
}

export interface FuelEconomy {
  city: number | null;
  highway: number | null;
  combined: number | null;
  /** As the label counts: `MPG`, `MPGe`, `L/100 km`, `Le/100 km`. A plug-in hybrid's is that of gasoline. */
  unit: string;
  /** Gallons, or kilowatt-hours of an electric car, per 100 miles. */
  per100: number | null;
  /** Cents a year. */
  annualFuelCost: number | null;
  /** Cents more than the average new vehicle in five years; negative where the label says "save". */
  fiveYearCost: number | null;
  /** Both from 1 to 10, 10 being the best. */
  greenhouseRating: number | null;
  smogRating: number | null;
  /** Grams a mile, on Canadian labels a kilometer. */
  co2: number | null;
  /** Of electric cars and plug-in hybrids. */
  electric: ElectricEconomy | null;
}

interface ElectricEconomy {
  combined: number | null;
  /** Kilowatt-hours per 100 miles. */
  per100: number | null;
  /** In miles, on Canadian labels in kilometers. */
  range: number | null;
  chargeHours: number | null;
}

/** A number of stars, "not rated", or null where it could not be read. */
export type Stars = 1 | 2 | 3 | 4 | 5 | 'not-rated' | null;

export interface Safety {
  overall: Stars;
  frontalDriver: Stars;
  frontalPassenger: Stars;
  sideFront: Stars;
  sideRear: Stars;
  rollover: Stars;
}

export interface Parts {
  /** Percent of the carline's parts. */
  usCanadian: number | null;
  /** Countries as printed, with their percent. */
  foreign: { country: string; percent: number }[];
  engine: string | null;
  transmission: string | null;
}

export interface Label {
  make: string;
  /** The model line as printed. */
  model: string | null;
  /** The line under the base price, where there is one: what the base price is of. */
  series?: string | null;
  year: number | null;
  market: 'US' | 'CA';
  language: 'en' | 'fr';
  exterior: Paint | null;
  interior: string | null;
  /** Seats or trim where printed beside the interior color. */
  seats?: string | null;
  engine: string | null;
  transmission: string | null;
  /** Final assembly point. */
  assembly: string | null;
  /** Where an imported car entered the country. */
  portOfEntry?: string | null;
  /** State or province the car was shipped to; never a dealer's name or street. */
  shipTo?: string | null;
  prices: {
    currency: 'USD' | 'CAD';
    base: number | null;
    options: OptionLine[];
    discounts: PriceLine[];
    taxes: PriceLine[];
    fees: PriceLine[];
    /** The first printed sum of base and options, where there is one. */
    subtotal: number | null;
    destination: number | null;
    total: number | null;
  };
  standard: { section: string | null; items: string[] }[];
  fuelEconomy: FuelEconomy | null;
  /** Government star ratings; null where the label has no such box. */
  safety?: Safety | null;
  /** The parts content box. */
  parts?: Parts | null;
  /** The terms of the warranty, one a line. */
  warranty?: string[] | null;
  /** Field path (`exterior`, `prices.base`, `prices.options.3`, …) to the place it was read at. */
  places: Record<string, Box>;
}

/** What a label says about the car itself: stored with the label, so that lookups need no reading. */
export type PrintedCar = Pick<Label, 'make' | 'model' | 'series' | 'year' | 'engine' | 'assembly'> & {
  /** In cents. Absent in older rows. */
  price?: Pick<Label['prices'], 'total' | 'base' | 'currency'>;
};

export interface Proof {
  /**
   * True when base + options + taxes + fees + destination + discounts (negative) is the printed total, to the cent, and
   * the page prints no amount that the reading leaves out.
   */
  closes: boolean;
  /** Why `closes` is false; null if it is true. */
  reason: 'no-total' | 'unread-priced-lines' | 'subtotal-differs' | 'sum-differs' | null;
  sum: number | null;
  total: number | null;
  difference: number | null;
  /** The manufacturer's own printed sum of options against ours, where printed. */
  options?: { printed: number; sum: number; closes: boolean };
  /** Combined fuel economy against the harmonic 55/45 mean of city and highway, where all three are printed. */
  fuelEconomy?: { combined: number; computed: number; closes: boolean };
}

/** A reader's result. `label` is null if nothing can be read, and `reason` says why. */
export interface Reading {
  /** `family/version`, for example `gm/3`: redone when it changes. */
  reader: string;
  readable: boolean;
  reason:
    | 'picture'
    | 'no-text'
    | 'broken'
    | 'encrypted'
    | 'timeout'
    | 'memory'
    | 'not-read-yet'
    | 'unknown-layout'
    | 'several-vehicles'
    | null;
  vin: string | null;
  paint: Paint | null;
  label: Label | null;
  proof: Proof | null;
}

/** A run of text set apart from its neighbors by a gap: a name and its price are two cells of one line. */
export interface Cell {
  text: string;
  x: number;
  right: number;
}

/** One printed line of one column. */
export interface Line {
  page: number;
  text: string;
  x: number;
  right: number;
  y: number;
  size: number;
  /** From left to right; recorded text has one cell a line. */
  cells: Cell[];
  items: TextItem[];
  /** False for recorded text, whose positions mean nothing. */
  positioned: boolean;
}
