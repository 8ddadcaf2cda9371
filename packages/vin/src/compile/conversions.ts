import type { Pair, Pairs } from './elements.ts';
import type { Tables } from './tables.ts';

/** Unit conversions, computed for every attribute that can be converted. */
export function readConversions(tables: Tables, pairs: Pairs) {
  const conversions = tables
    .get('conversion')!
    .map(([id, from, to, formula]) => ({
      id: Number(id),
      from: Number(from),
      to: Number(to),
      formula: formula ?? '',
    }))
    .sort((a, b) => a.id - b.id);
  /** Elements that are converted, in order of priority. */
  const convertible = new Map<number, number>();
  for (const { from } of conversions) if (!convertible.has(from)) convertible.set(from, convertible.size);
  const targets = new Map<string, Pair>();
  const given = pairs.all().filter((pair) => !pair.formula && convertible.has(pair.element.id));
  for (const { id, from, to, formula } of conversions) {
    for (const pair of given) {
      if (pair.element.id !== from) continue;
      targets.set(`${id} ${pair.attribute}`, pairs.of(to, convert(formula, pair.attribute)));
    }
  }
  return {
    conversions,
    convertible,
    /** The converted pairs; none for pairs that are results of a conversion. */
    target: (conversion: number, pair: Pair): Pair | undefined =>
      targets.get(`${conversion} ${pair.attribute}`),
  };
}

/** Decimal arithmetic with the same digits as PostgreSQL's `numeric`, which conversions print. */
interface Decimal {
  digits: bigint;
  scale: number;
}

const MIN_SIGNIFICANT = 16;

function parse(text: string): Decimal | null {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  let digits = BigInt(whole + fraction);
  let scale = fraction.length - Number(exponent);
  if (scale < 0) {
    digits *= 10n ** BigInt(-scale);
    scale = 0;
  }
  return { digits: sign === '-' ? -digits : digits, scale };
}

function print({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  return sign + (scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`);
}

/** The position of the first base-10,000 digit (0 = units) and that digit. */
function leading({ digits, scale }: Decimal): { weight: number; first: number } {
  const text = (digits < 0n ? -digits : digits).toString();
  if (text === '0') return { weight: 0, first: 0 };
  const whole = text.length - scale;
  const weight = Math.ceil(whole / 4) - 1;
  const width = whole - weight * 4;
  return { weight, first: Number(text.padEnd(width, '0').slice(0, width)) };
}

function divide(a: Decimal, b: Decimal): Decimal {
  const top = leading(a);
  const bottom = leading(b);
  let weight = top.weight - bottom.weight;
  if (top.first <= bottom.first) weight--;
  const scale = Math.max(MIN_SIGNIFICANT - weight * 4, a.scale, b.scale, 0);
  const negative = a.digits < 0n !== b.digits < 0n;
  const numerator = (a.digits < 0n ? -a.digits : a.digits) * 10n ** BigInt(scale + b.scale);
  const denominator = (b.digits < 0n ? -b.digits : b.digits) * 10n ** BigInt(a.scale);
  const digits = (2n * numerator + denominator) / (2n * denominator);
  return { digits: negative ? -digits : digits, scale };
}

/** Applies `#x# / 16.387064` to an attribute. Anything but a number gives `0`. */
export function convert(formula: string, attribute: string): string {
  const match = /^\s*#x#\s*([*/])\s*([\d.]+)\s*$/.exec(formula);
  const constant = match ? parse(match[2]!) : null;
  if (!match || !constant) throw new Error(`the table conversion has an unknown formula: ${formula}`);
  const value = parse(attribute);
  if (!value) return '0';
  if (match[1] === '/') return print(divide(value, constant));
  return print({ digits: value.digits * constant.digits, scale: value.scale + constant.scale });
}
