/** A seeded stream of numbers from 0 to 1, so that a run that finds something can be run again. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const below = (roll: () => number, end: number): number => Math.floor(roll() * end);

type Mutation = (pdf: Buffer, roll: () => number, other: Buffer) => Buffer;

const mutations: Record<string, Mutation> = {
  'bits flipped': (pdf, roll) => {
    const mutant = Buffer.from(pdf);
    for (let left = 1 + below(roll, 60); left > 0; left--) {
      const at = below(roll, mutant.length);
      mutant[at] = mutant[at]! ^ (1 << below(roll, 8));
    }
    return mutant;
  },
  'cut short': (pdf, roll) => Buffer.from(pdf.subarray(0, below(roll, pdf.length))),
  'a piece of another spliced in': (pdf, roll, other) => {
    const from = below(roll, other.length);
    const at = below(roll, pdf.length);
    const piece = other.subarray(from, from + 1 + below(roll, 20_000));
    return Buffer.concat([pdf.subarray(0, at), piece, pdf.subarray(at + below(roll, piece.length))]);
  },
  'a piece missing': (pdf, roll) => {
    const at = below(roll, pdf.length);
    return Buffer.concat([pdf.subarray(0, at), pdf.subarray(at + 1 + below(roll, 5_000))]);
  },
  'a piece blank': (pdf, roll) => {
    const mutant = Buffer.from(pdf);
    const at = below(roll, pdf.length);
    return mutant.fill(roll() < 0.5 ? 0 : 255, at, Math.min(pdf.length, at + 1 + below(roll, 5_000)));
  },
  // Lengths, counts, widths and references are what a parser believes.
  'numbers blown up': (pdf, roll) => {
    const large = ['-1', '0', '2147483647', '4294967296', '99999999999999999999', '1e308'];
    return Buffer.from(
      pdf
        .toString('latin1')
        .replaceAll(/\b\d{1,6}\b/g, (number) =>
          roll() < 0.002 ? large[below(roll, large.length)]! : number,
        ),
      'latin1',
    );
  },
};

export const kinds = Object.keys(mutations);

/** The `index`th mutant of `seeds`, the same for the same `seed`. */
export function mutant(seeds: readonly Buffer[], seed: number, index: number): { kind: string; pdf: Buffer } {
  const roll = dice(seed * 1_000_003 + index);
  const kind = kinds[index % kinds.length]!;
  const pdf = seeds[below(roll, seeds.length)]!;
  const other = seeds[below(roll, seeds.length)]!;
  return { kind, pdf: mutations[kind]!(pdf, roll, other) };
}
