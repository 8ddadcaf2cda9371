/** What a label prints, as far as names may be cut there. */
export interface PrintedTexts {
  language: string;
  exterior: { color: string } | null;
  interior: string | null;
  engine: string | null;
  transmission: string | null;
  prices: Record<'options' | 'taxes' | 'fees' | 'discounts', readonly PrintedLine[]>;
  standard: readonly { items: readonly string[] }[];
  warranty?: readonly string[] | null;
}

interface PrintedLine {
  name: string;
  children?: readonly string[];
}

/** Labels that cut names do so after 23 to 30 characters. */
const MIN_CUT = 20;
/** More names than this with the same beginning are a list of something, not one name. */
const MAX_LONGER = 10;

const found = new WeakMap<PrintedTexts, Map<string, string>>();

/** A name that ends in the middle of a word, with the rest of the word if the label prints it elsewhere. */
export function completed(printed: string, label: PrintedTexts | undefined): string {
  if (!label || printed.length < MIN_CUT) return printed;
  let names = found.get(label);
  if (!names) found.set(label, (names = cutNames(textsOf(label))));
  return names.get(printed) ?? printed;
}

/** Every name on a label that people read. */
export function textsOf(label: PrintedTexts): string[] {
  const { exterior, interior, engine, transmission, prices, standard, warranty } = label;
  const { options, taxes, fees, discounts } = prices;
  return [
    ...[exterior?.color, interior, engine, transmission].filter((text) => typeof text === 'string'),
    ...[...options, ...taxes, ...fees, ...discounts].flatMap(({ name, children = [] }) => [
      name,
      ...children,
    ]),
    ...standard.flatMap(({ items }) => items),
    ...(warranty ?? []),
  ];
}

/** Whole names by cut ones. In order, the longer names with the same beginning follow a name. */
function cutNames(texts: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const sorted = [...new Set(texts)].filter(({ length }) => length >= MIN_CUT).toSorted();
  sorted.forEach((name, at) => {
    if (!/\p{L}$/u.test(name)) return;
    const longer = sorted.slice(at + 1, at + 2 + MAX_LONGER);
    const end = longer.findIndex((other) => !other.startsWith(name));
    const ends = longer
      .slice(0, end < 0 ? longer.length : end)
      .map((other) => /^\p{L}+/u.exec(other.slice(name.length))?.[0] ?? '');
    const longest = ends.toSorted((one, other) => other.length - one.length)[0] ?? '';
    // A plural is another name, not the rest of this one.
    if (ends.length > MAX_LONGER || /^S?$/i.test(longest)) return;
    if (ends.every((one) => longest.startsWith(one))) names.set(name, name + longest);
  });
  return names;
}
