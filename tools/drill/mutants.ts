import { randomFrom } from '../../packages/vin/src/random.ts';

const below = (random: () => number, end: number): number => Math.floor(random() * end);

type Mutation = (pdf: Buffer, random: () => number, other: Buffer) => Buffer;

const mutations: Record<string, Mutation> = {
  'bits flipped': (pdf, random) => {
    const mutant = Buffer.from(pdf);
    for (let left = 1 + below(random, 60); left > 0; left--) {
      const at = below(random, mutant.length);
      mutant[at] = mutant[at]! ^ (1 << below(random, 8));
    }
    return mutant;
  },
  'cut short': (pdf, random) => Buffer.from(pdf.subarray(0, below(random, pdf.length))),
  'a piece of another spliced in': (pdf, random, other) => {
    const from = below(random, other.length);
    const at = below(random, pdf.length);
    const piece = other.subarray(from, from + 1 + below(random, 20_000));
    return Buffer.concat([pdf.subarray(0, at), piece, pdf.subarray(at + below(random, piece.length))]);
  },
  'a piece missing': (pdf, random) => {
    const at = below(random, pdf.length);
    return Buffer.concat([pdf.subarray(0, at), pdf.subarray(at + 1 + below(random, 5_000))]);
  },
  'a piece blank': (pdf, random) => {
    const mutant = Buffer.from(pdf);
    const at = below(random, pdf.length);
    return mutant.fill(random() < 0.5 ? 0 : 255, at, Math.min(pdf.length, at + 1 + below(random, 5_000)));
  },
  // Parsers trust lengths, counts, widths and references.
  'numbers blown up': (pdf, random) => {
    const large = ['-1', '0', '2147483647', '4294967296', '99999999999999999999', '1e308'];
    return Buffer.from(
      pdf
        .toString('latin1')
        .replaceAll(/\b\d{1,6}\b/g, (number) =>
          random() < 0.002 ? large[below(random, large.length)]! : number,
        ),
      'latin1',
    );
  },
};

export const kinds = Object.keys(mutations);

/** The `index`th mutant of `seeds`, the same for the same `seed`. */
export function mutant(seeds: readonly Buffer[], seed: number, index: number): { kind: string; pdf: Buffer } {
  const random = randomFrom(seed * 1_000_003 + index);
  const kind = kinds[index % kinds.length]!;
  const pdf = seeds[below(random, seeds.length)]!;
  const other = seeds[below(random, seeds.length)]!;
  return { kind, pdf: mutations[kind]!(pdf, random, other) };
}
