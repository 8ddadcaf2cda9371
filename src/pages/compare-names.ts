import type { NameParts } from '@monroney/label/lib/names';

/** Where a trim goes on with cab and drive: `Limited Crew Cab 4x4`. */
const CAB_OR_DRIVE = /^(?:cab|supercrew|supercab|4x[24]|[4A2FR]WD)$/i;

function withoutCab(trim: string): string {
  const words = trim.split(' ');
  const at = words.findIndex((word) => CAB_OR_DRIVE.test(word));
  // `Crew Cab` and `Quad Cab` are two words.
  const end = at > 1 && /^cab$/i.test(words[at]!) ? at - 1 : at;
  return end > 0 ? words.slice(0, end).join(' ') : trim;
}

/** What the heading of a comparison calls its cars: `2025 F-150 XL`. `names` tell them apart if year, model and trim don't. */
export function titleNames(cars: readonly NameParts[], names: readonly string[]): string[] {
  const named = (trimOf: (trim: string) => string) =>
    cars.map(({ year, make, model, trim }) => {
      // A number alone is no name: a Ram 1500.
      const isNumber = !model || /^\d+$/.test(model);
      return [year, isNumber ? make : null, model, trim && trimOf(trim)].filter(Boolean).join(' ');
    });
  const ways = [named(withoutCab), named((trim) => trim), names];
  const areKnown = cars.every(({ year, make }) => year && make);
  return [...(areKnown ? ways.find((way) => new Set(way).size === way.length)! : names)];
}
