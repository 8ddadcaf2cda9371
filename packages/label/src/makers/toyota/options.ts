import { columnAround, indexOf, isInRow, isRival } from '../../reading/line-search.ts';
import type { Cell, Line, Label } from '../../reading/types.ts';
import { amountOf, isMoney, priced } from '../../reading/money.ts';
import { readPriceList } from '../../reading/price-list.ts';

export const BASE = /^BASE (?:MANUFACTURER.?S SUGGESTED RETAIL PRICE|MSRP|PRICE)\b/i;
const OPTIONS = /^OPTIONAL EQUIPMENT\b/i;
/** Base and options. A footnote begins with the same words and has no amount. */
const SUBTOTAL = /^MANUFACTURER.?S SUGGESTED RETAIL PRICE\b/i;
/** The fee, and not an option such as `Destination Assist`. */
const DELIVERY =
  /^(?:DELIVERY|DESTINATION|(?:INLAND )?FREIGHT)(?:$|,| \$?\d| [^$]*\b(?:FEES?|CHARGES?|HANDLING)\b)/i;
const TOTAL = /^TOTAL (?:MANUFACTURER.?S )?(?:SUGGESTED RETAIL |VEHICLE )?(?:PRICE|MSRP)\b/i;
/** Further headings of the list, and the dagger beside the subtotal. */
const NO_OPTION =
  /^(?:PORT|FACTORY|DEALER|DISTRIBUTOR)[ -]INSTALLED (?:EQUIPMENT|OPTIONS|ACCESSORIES)$|^\W*$/i;

/** `FE`, `2T.` in a column of their own. */
const CODE_ALONE = /^([A-Z0-9]{2,3})\.?$/;
const DOTTED = /^([A-Z0-9]{2,3})\.\s+(?=\S)/;
const UNDOTTED = /^([A-Z0-9]{2})\s+(?=\S)/;
/** What `optionLines` puts before each option: its code, if it has one, and a dot. */
const MARK = /^([A-Z0-9]{2,3})?\. /;
const BULLET = /^[·•*-]\s?/;
/** A name that ends or a line that begins in the middle of a phrase. */
const OPEN = /(?:[,&(-]|\bw\/|\b(?:and|with|for|of))$/i;
const GOES_ON = /^(?:w\/|& |[a-z]+ )/;
/** A name that takes this share of the way to the amounts has no room for another word. */
const FULL_SHARE = 0.7;
/** No name is longer. Without an end, each line would search all lines before it again. */
const MAX_NAME_LENGTH = 500;

interface PriceColumn {
  lines: Line[];
  /** Where names of prices and codes of options begin. */
  left: number;
  /** Where amounts begin. */
  amounts: number;
}

/** Base, options, their sum, delivery and total in one column. Returns false if they aren't there. */
export function readPrices(label: Label, lines: Line[]): boolean {
  const column = priceColumn(lines);
  if (!column) return false;
  const from = indexOf(column.lines, OPTIONS) + 1;
  const end = indexOf(column.lines, new RegExp(`${SUBTOTAL.source}|${DELIVERY.source}`, 'i'), from);
  const printed =
    from > 0 && end > 0
      ? column.lines.toSpliced(from, end - from, ...optionLines(column.lines.slice(from, end), column))
      : column.lines;
  const anchors = Object.values(ANCHORS).flatMap((anchor) => printed[indexOf(printed, anchor)] ?? []);
  // A second text in the row of a price would take its amount.
  const list = printed.filter(
    (line) => !line.positioned || anchors.every((anchor) => anchor === line || !isInRow(anchor, line)),
  );
  const isRead = readPriceList(label, list, {
    base: BASE,
    options: OPTIONS,
    destination: DELIVERY,
    total: TOTAL,
    subtotal: SUBTOTAL,
    mark: MARK,
  });
  if (!isRead) return false;
  const { prices } = label;
  for (const [field, anchor] of Object.entries(ANCHORS))
    if (hasTwoAmounts(lines, list[indexOf(list, anchor)])) prices[field as keyof typeof ANCHORS] = null;
  return true;
}

const ANCHORS = { base: BASE, subtotal: SUBTOTAL, destination: DELIVERY, total: TOTAL };

/** Nothing tells which of two amounts beside a name is right. */
function hasTwoAmounts(lines: Line[], line: Line | undefined): boolean {
  return (
    line !== undefined &&
    lines.some(
      (other) => isMoney(other.text) && isInRow(other, line) && other.x > line.x && isRival(other, line),
    )
  );
}

/** If the base price has no amount, another price shows how wide the column is. */
function priceColumn(lines: Line[]): PriceColumn | null {
  const line = [BASE, SUBTOTAL, TOTAL]
    .map((anchor) => lines[indexOf(lines, anchor)])
    .find((found) => found && (!found.positioned || found.cells.length > 1));
  if (!line) return null;
  const isInside = ({ positioned, x, size }: Line): boolean => !positioned || x > line.x - 0.5 * size;
  return { lines: columnAround(lines, line).filter(isInside), left: line.x, amounts: line.cells.at(-1)!.x };
}

/**
 * Each option as one line that begins with its code and a dot. Codes are a column of their own on a page, and names may
 * take several lines. Lines without a mark are what an option contains, or options without a code if they have a price.
 */
function optionLines(printed: Line[], column: PriceColumn): Line[] {
  const lines = printed.filter(({ text }) => !NO_OPTION.test(text));
  // Without a dot, the first word of a name may look like a code, but not those of all names.
  const codePattern = lines.every(
    (line) => amountOf(line) === null || UNDOTTED.test(line.text) || DOTTED.test(line.text),
  )
    ? new RegExp(`${DOTTED.source}|${UNDOTTED.source}`)
    : DOTTED;
  const isAtLeft = (line: Line): boolean => line.positioned && line.x < column.left + 0.5 * line.size;
  const options: Line[] = [];
  let code: Line | null = null;
  for (const line of lines) {
    // A code with an amount and no name between them is no option that anyone could recognize.
    if (isAtLeft(line) && CODE_ALONE.test(line.cells[0]!.text)) {
      code = line.cells.length > 1 ? null : line;
      continue;
    }
    const beside = code && isInRow(code, line) ? code : null;
    code = null;
    const last = options.at(-1);
    // A second text in an option's row was stamped on the label, and the amount beside it may be the option's.
    if (last?.positioned && !beside && isInRow(last, line)) continue;
    const found = codePattern.exec(line.text);
    if (beside) options.push({ ...marked(line, CODE_ALONE.exec(beside.text)![1]!), x: beside.x });
    else if (found && (!line.positioned || isAtLeft(line)))
      options.push(marked(line, (found[1] ?? found[2])!, found[0].length));
    else if (isAtLeft(line)) options.push(marked(line, ''));
    else if (last && continues(last, line, column.amounts)) options[options.length - 1] = joined(last, line);
    else options.push(line);
  }
  return options;
}

/** The line with its code in the form of `MARK`, instead of the first characters. */
function marked(line: Line, code: string, from = 0): Line {
  const [name, ...amount] = line.cells;
  return withCells(line, [{ ...name!, text: `${code}. ${name!.text.slice(from)}` }, ...amount]);
}

/** An option whose name goes on in another line, which may have the price. */
function joined(option: Line, line: Line): Line {
  const [name, ...amount] = option.cells;
  const [rest, ...other] = line.cells;
  const whole = { text: `${name!.text} ${rest!.text}`, x: name!.x, right: rest!.right };
  const items = [...option.items, ...line.items];
  return withCells({ ...option, items }, [whole, ...amount, ...other]);
}

function withCells(line: Line, cells: Cell[]): Line {
  return {
    ...line,
    cells,
    text: cells.map(({ text }) => text).join(' '),
    right: cells.reduce((right, cell) => Math.max(right, cell.right), line.right),
  };
}

/** True if a line continues the name above it: it begins where the name begins, which has no room for its first word. */
function continues(option: Line, line: Line, amounts: number): boolean {
  if (BULLET.test(line.text) || option.text.length > MAX_NAME_LENGTH) return false;
  if (amountOf(option) !== null && amountOf(line) !== null) return false;
  if (OPEN.test(priced(option).name) || GOES_ON.test(line.text)) return true;
  const [name, rest] = [option.cells[0]!, line.cells[0]!];
  if (!line.positioned || Math.abs(name.x - rest.x) > 0.3 * line.size) return false;
  const word = ((rest.right - rest.x) * rest.text.split(' ', 1)[0]!.length) / rest.text.length;
  return name.right + word > name.x + FULL_SHARE * (amounts - name.x);
}
