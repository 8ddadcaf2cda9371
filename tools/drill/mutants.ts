import { randomFrom } from '../../packages/vin/src/random.ts';

const randomBelow = (random: () => number, end: number): number => Math.floor(random() * end);

type Mutation = (pdf: Buffer, random: () => number, other: Buffer) => Buffer;

const mutations: Record<string, Mutation> = {
  'bits flipped': (pdf, random) => {
    const mutant = Buffer.from(pdf);
    for (let flips = 1 + randomBelow(random, 60); flips > 0; flips--) {
      const position = randomBelow(random, mutant.length);
      mutant[position] = mutant[position]! ^ (1 << randomBelow(random, 8));
    }
    return mutant;
  },
  truncated: (pdf, random) => Buffer.from(pdf.subarray(0, randomBelow(random, pdf.length))),
  'a piece of another PDF inserted': (pdf, random, other) => {
    const from = randomBelow(random, other.length);
    const position = randomBelow(random, pdf.length);
    const piece = other.subarray(from, from + 1 + randomBelow(random, 20_000));
    return Buffer.concat([
      pdf.subarray(0, position),
      piece,
      pdf.subarray(position + randomBelow(random, piece.length)),
    ]);
  },
  'a piece missing': (pdf, random) => {
    const position = randomBelow(random, pdf.length);
    return Buffer.concat([
      pdf.subarray(0, position),
      pdf.subarray(position + 1 + randomBelow(random, 5_000)),
    ]);
  },
  'a piece blanked': (pdf, random) => {
    const mutant = Buffer.from(pdf);
    const position = randomBelow(random, pdf.length);
    return mutant.fill(
      random() < 0.5 ? 0 : 255,
      position,
      Math.min(pdf.length, position + 1 + randomBelow(random, 5_000)),
    );
  },
  // Parsers trust lengths, counts, widths and references.
  'extreme numbers': (pdf, random) => {
    const large = ['-1', '0', '2147483647', '4294967296', '99999999999999999999', '1e308'];
    return Buffer.from(
      pdf
        .toString('latin1')
        .replaceAll(/\b\d{1,6}\b/g, (number) =>
          random() < 0.002 ? large[randomBelow(random, large.length)]! : number,
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
  const pdf = seeds[randomBelow(random, seeds.length)]!;
  const other = seeds[randomBelow(random, seeds.length)]!;
  return { kind, pdf: mutations[kind]!(pdf, random, other) };
}
