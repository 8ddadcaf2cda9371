import type { z } from 'zod';
import type * as schemas from './label-schemas.ts';

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

export type Box = z.infer<typeof schemas.Box>;
export type Paint = z.infer<typeof schemas.Paint>;
/** Money is integer cents of the label's currency; a credit is negative. */
export type PriceLine = z.infer<typeof schemas.PriceLine>;
export type OptionLine = z.infer<typeof schemas.OptionLine>;

export type Label = z.infer<typeof schemas.Label>;

export type Dealer = NonNullable<Label['delivery']['dealer']>;
export type FuelEconomy = NonNullable<Label['fuelEconomy']>;
export type Safety = NonNullable<Label['safety']>;
export type Stars = Safety['overall'];
export type Parts = NonNullable<Label['parts']>;

/** What a label says about the car itself: stored with the label, so that lookups need no reading. */
export type PrintedCar = Pick<Label, 'make' | 'model' | 'year' | 'engine' | 'assembly'> & {
  series?: string | null;
  /** In cents. Absent in older rows. */
  price?: Pick<Label['prices'], 'total' | 'base' | 'currency'>;
};

export type Proof = z.infer<typeof schemas.Proof>;

/** A reader's result. `label` is null if nothing can be read, and `reason` says why. */
export interface Reading {
  /** `family/version`, for example `gm/3`: redone when it changes. */
  reader: string;
  readable: boolean;
  reason: z.infer<typeof schemas.UnreadReason>;
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
