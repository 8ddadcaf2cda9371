import type { Label, OptionLine, PriceLine, Line } from './types.ts';
import { indexOf } from './line-search.ts';
import { amountOf, cents, isMoney, priced, SAVINGS, addsUp } from './money.ts';
import { boxOf, setPrice } from './reader.ts';

/** How a family words its price list: base, options, freight and total, one under the other. */
interface PriceWords {
  base: RegExp;
  /** Options begin after this line; without it there are none. */
  options: RegExp;
  destination: RegExp;
  total: RegExp;
  /** The sum of base and options, where it is printed among them. */
  subtotal?: RegExp;
  /** Lines among the options that are neither option nor child: headings, remarks. */
  skip?: RegExp;
  /** Marks the beginning of an option, where unmarked lines are its children. What it captures is the option's code. */
  mark?: RegExp;
}

/** Reads the list into the label. Returns false if the anchors are not in their order. */
export function readPriceList(label: Label, lines: Line[], words: PriceWords): boolean {
  const base = indexOf(lines, words.base);
  const destination = indexOf(lines, words.destination, base + 1);
  const total = indexOf(lines, words.total, destination + 1);
  if (base < 0 || destination < 0 || total < 0) return false;
  const { prices } = label;
  const read = (field: 'base' | 'subtotal' | 'destination' | 'total', at: number): void =>
    setPrice(label, field, amountAt(lines, at), lines[at]);
  read('base', base);
  read('destination', destination);
  read('total', total);
  const from = indexOf(lines, words.options);
  const subtotal = words.subtotal ? indexOf(lines, words.subtotal, base + 1) : -1;
  const end = subtotal >= 0 && subtotal < destination ? subtotal : destination;
  if (end === subtotal) read('subtotal', subtotal);
  const listed = from >= 0 && from < end ? lines.slice(Math.max(from, base) + 1, end) : [];
  const charged = lines.slice(destination + 1, total);
  // The first interpretation whose prices add up is right; the simplest one is tried first and used if none does.
  const ways = [
    filed(listed, [], words),
    filed(listed, charged, words),
    filed(withLoneAmounts(listed), charged, words),
  ];
  Object.assign(prices, ways.find((lists) => addsUp({ ...prices, ...lists })) ?? ways[0]);
  recordPricePlaces(label);
  return true;
}

type Lists = Pick<Label['prices'], 'options' | 'taxes' | 'fees' | 'discounts'>;

/** Options above the freight; below it, charges and what is taken off. */
function filed(listed: Line[], charged: Line[], words: PriceWords): Lists {
  const lists: Lists = { options: [], taxes: [], fees: [], discounts: [] };
  for (const option of optionsOf(listed, words)) addOption(lists, option);
  for (const line of charged) {
    const { name, price } = priced(line);
    if (price !== null && name !== '' && !/^\W*(?:Sub.?)?Total/i.test(name))
      addCharge(lists, { name: name.replace(/(?<!\s)\s*:$/, ''), price, at: boxOf(line) });
  }
  return lists;
}

/** Adds a line that is printed among the options, which may be a tax, a fee or a saving. */
export function addOption(lists: Lists, option: OptionLine): void {
  const { name, price } = option;
  if (price !== null && price < 0 && SAVINGS.test(name)) add(lists.discounts, option);
  else if (price !== null && price >= 0 && isTax(name)) add(lists.taxes, option);
  else if (price !== null && price >= 0 && isFee(name)) add(lists.fees, option);
  else lists.options.push(option);
}

/** Adds a line that is printed after the options. */
export function addCharge(lists: Lists, line: PriceLine & { price: number }): void {
  add(line.price < 0 ? lists.discounts : isTax(line.name) ? lists.taxes : lists.fees, line);
}

function add(list: PriceLine[], { name, price, at }: PriceLine): void {
  list.push({ name, price, ...(at ? { at } : {}) });
}

/** Records where each line of the price lists is printed. */
export function recordPricePlaces({ prices, places }: Label): void {
  for (const list of ['options', 'taxes', 'fees', 'discounts'] as const)
    prices[list].forEach(({ at }, index) => {
      if (at) places[`prices.${list}.${index}`] = at;
    });
}

/** Recorded text may have an amount on a line of its own, under the name it belongs to. */
export function withLoneAmounts(lines: Line[]): Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const above = joined.at(-1);
    if (above && !line.positioned && isMoney(line.text) && amountOf(above) === null) {
      const text = `${above.text} ${line.text}`;
      joined[joined.length - 1] = { ...above, text, cells: [{ text, x: above.x, right: above.right }] };
    } else joined.push(line);
  }
  return joined;
}

/** The amount of a line, or alone on the next one. */
function amountAt(lines: Line[], index: number): number | null {
  const line = lines[index];
  const next = lines[index + 1];
  return (
    amountOf(line) ?? (line && next && isMoney(next.text) && /\d/.test(next.text) ? cents(next.text) : null)
  );
}

function optionsOf(lines: Line[], { skip, mark }: PriceWords): OptionLine[] {
  const options: OptionLine[] = [];
  for (const line of lines) {
    if (skip?.test(line.text) || cents(line.text) !== null) continue;
    const { name, printed } = priced(line);
    const price = printed === null ? null : cents(printed);
    const last = options.at(-1);
    const [marked, code] = mark?.exec(name) ?? [];
    if (price === null && marked === undefined && last) {
      addChild(last, name);
      continue;
    }
    // A line with words for no charge is an option too. A line without an amount before the first option isn't.
    if (price === null && marked === undefined) continue;
    const plain =
      marked === undefined ? `${beginningOf(options)} ${name}`.trim() : name.replace(marked, '').trim();
    const free = price === 0 && !/\d/.test(printed ?? '');
    const option = { name: plain, price: free ? null : price, children: [], at: boxOf(line) };
    options.push(code === undefined ? option : { ...option, code });
  }
  return options;
}

/** The line above, if it ends in the middle of a phrase: the name of an option may take two lines, and its price is on the second. */
function beginningOf(options: OptionLine[]): string {
  const last = options.at(-1);
  if (!last) return '';
  const child = last.children.at(-1);
  if (child !== undefined) return isOpen(child) ? last.children.pop()! : '';
  if (last.price !== null || !isOpen(last.name)) return '';
  options.pop();
  return last.name;
}

const isOpen = (name: string): boolean =>
  name.length < MAX_CHILD_LENGTH && (OPEN.test(name) || name.lastIndexOf('(') > name.lastIndexOf(')'));

/** No child is longer. Without an end, each line would search all lines before it again. */
const MAX_CHILD_LENGTH = 1000;
const OPEN = /(?:\b(?:and|with|for)|w\/|&|,|-)$/i;
const GOES_ON = /^(?:w\/|and |with |& |\()/i;

function addChild(option: OptionLine, name: string): void {
  const last = option.children.at(-1);
  const plain = name.replace(/^[·•*-]\s*/, '');
  if (last !== undefined && last.length < MAX_CHILD_LENGTH && (OPEN.test(last) || GOES_ON.test(plain))) {
    option.children[option.children.length - 1] = `${last} ${plain}`;
  } else option.children.push(plain);
}

const TAX =
  /^AIR CONDITIONING CHARGE|\bTAX(?:ES?)?\b|\bSURTAXE\b|\bGUZZLER\b|\bLEVY\b|[ÉE]CO.?PR[ÉE]L[ÈE]VEMENT/i;
/** A fee's name ends with the word; an option may mention fees: `SUPER CRUISE, FEES APPLY AFTER 3 YEARS`. */
const FEE =
  /\b(?:SURCHARGE|FEES?)(?=$|\W*(?:$|[/(]))|\bTIRE (?:STEWARDSHIP|RECYCLING|DISPOSAL)\b|\bENVIRONMENTAL (?:HANDLING|CHARGE)|\bFRAIS\b|\bDROITS? (?:SUR|SP[ÉE]CIFIQUE)/i;

/** A tax or levy: `Federal A/C Excise Tax`, `GAS GUZZLER TAX`, `ECOPRELEVEMENT FEDERAL`, Canada's `AIR CONDITIONING CHARGE`. */
function isTax(name: string): boolean {
  return TAX.test(name);
}

/** Another charge of the authorities or the dealer: `Ontario Tire Surcharge`, `MAXIMUM DEALER FEE`. */
export function isFee(name: string): boolean {
  return !TAX.test(name) && FEE.test(name);
}
