import type { Decoded, Vehicle } from './types.ts';

/** What a decode says about the VIN itself. */
export type Diagnosis = Pick<Decoded, 'suggested' | 'warning' | 'repair' | 'otherYear'>;

/** A decode with errors. Its diagnosis is computed on first read, because a repair decodes dozens of VINs. */
export class LazyDecoded implements Decoded {
  readonly vin: string;
  readonly vehicle: Vehicle | null;
  readonly codes: number[];
  readonly #compute: () => Diagnosis;
  #computed: Diagnosis | null = null;

  constructor(vin: string, vehicle: Vehicle | null, codes: number[], compute: () => Diagnosis) {
    this.vin = vin;
    this.vehicle = vehicle;
    this.codes = codes;
    this.#compute = compute;
  }

  get #diagnosis(): Diagnosis {
    return (this.#computed ??= this.#compute());
  }

  get suggested(): string | null {
    return this.#diagnosis.suggested;
  }

  get warning(): string | null {
    return this.#diagnosis.warning;
  }

  get repair(): string | null {
    return this.#diagnosis.repair;
  }

  get otherYear(): string | null {
    return this.#diagnosis.otherYear;
  }

  toJSON(): Decoded {
    return { ...this, ...this.#diagnosis };
  }
}
