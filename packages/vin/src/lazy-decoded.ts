import type { Decoded, Vehicle } from './types.ts';

/** What an answer says about the VIN itself. */
export type Doubts = Pick<Decoded, 'suggested' | 'warning' | 'repair' | 'otherYear'>;

/** A decode with something wrong. Its doubts are worked out when they are first read: a repair decodes dozens of VINs. */
export class Doubtful implements Decoded {
  readonly vin: string;
  readonly vehicle: Vehicle | null;
  readonly codes: number[];
  readonly #workOut: () => Doubts;
  #known: Doubts | null = null;

  constructor(vin: string, vehicle: Vehicle | null, codes: number[], workOut: () => Doubts) {
    this.vin = vin;
    this.vehicle = vehicle;
    this.codes = codes;
    this.#workOut = workOut;
  }

  get #doubts(): Doubts {
    return (this.#known ??= this.#workOut());
  }

  get suggested(): string | null {
    return this.#doubts.suggested;
  }

  get warning(): string | null {
    return this.#doubts.warning;
  }

  get repair(): string | null {
    return this.#doubts.repair;
  }

  get otherYear(): string | null {
    return this.#doubts.otherYear;
  }

  toJSON(): Decoded {
    return { ...this, ...this.#doubts };
  }
}
