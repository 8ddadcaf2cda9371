import { indexOf } from '../../reading/line-search.ts';
import type { Line } from '../../reading/lines.ts';
import { readDealer } from '../../reading/delivery.ts';
import { recordPlace, type Sheet } from '../../reading/reader.ts';
import { fromTop } from '../../reading/reading-order.ts';
import type { Label } from '../../reading/types.ts';

const DEALER = /^(?:DEALER TO WHOM DELIVERED|DELIVERED TO|CLIENT SELECTED DEALER)/i;
const DEALER_NUMBER = /^(?:DEALER NO|DLR\/CONCESS)\.?:? ?(\d{5})$/;
const ORDER_NUMBER = /^(?:ORDER NO|ORD\/COMM)\.?:? ?([A-Z0-9]{6})$/;

/** The box in the foot: order number, dealer's number, and the dealer's address. */
export function readDelivery(label: Label, lines: Line[]): void {
  const find = (anchor: RegExp) => lines.find(({ text }) => anchor.test(text));
  const order = find(ORDER_NUMBER);
  label.delivery.orderNumber = ORDER_NUMBER.exec(order?.text ?? '')?.[1] ?? null;
  recordPlace(label, 'delivery.orderNumber', order);
  const number = DEALER_NUMBER.exec(find(DEALER_NUMBER)?.text ?? '')?.[1] ?? null;
  readDealer(label, lines, lines[indexOf(lines, DEALER)], number);
}

/** Text for machines, in type too small for people to read. */
export function isHidden(line: Line, unit: number): boolean {
  return (line.positioned && line.size < 4 * unit) || line.text.startsWith('{"');
}

/** The lines of the hidden text: in the same tiny type, under each other at the top of the page. */
function hiddenLines(lines: Line[]): Line[] {
  const first = lines.find(({ text }) => text.startsWith('{"'));
  if (!first?.positioned) return first ? [first] : [];
  const isBelow = ({ page, x, y, size }: Line): boolean =>
    page === first.page &&
    Math.abs(size - first.size) < 0.1 * first.size &&
    Math.abs(x - first.x) < size &&
    y > first.y + 0.5 * size &&
    y < first.y + MAX_LINES * size;
  return [first, ...fromTop(lines.filter(isBelow))];
}

/** Real ones take three or four. */
const MAX_LINES = 12;

const DAY = /"creation_date"\s*:\s*"(\d{1,2})\/(\d{1,2})\/(20\d{2})"/;
const OPTIONS = /"Options" ?: ?\[/;
/** Real lists have up to 230. */
const MAX_CODES = 400;

/**
 * The day of the file and the codes of all options, from the JSON that begins each file: `"Options":["AKQ", "AL0", "", ""]`.
 * It is one text in several lines, and only counts if it is about this car.
 */
export function readHiddenText(label: Label, sheet: Sheet): void {
  const json = hiddenLines(sheet.lines)
    .map(({ text }) => text)
    .join(' ');
  const vin = /"vin"\s*:\s*"([A-Z0-9]{17})"/.exec(json)?.[1];
  if (!vin || vin !== sheet.vin) return;
  const [, month, day, year] = DAY.exec(json) ?? [];
  if (year) label.created = isoDay(Number(year), Number(month), Number(day));
  const from = json.search(OPTIONS);
  const end = from < 0 ? -1 : json.indexOf(']', from);
  const list = end < 0 ? '' : json.slice(json.indexOf('[', from) + 1, end);
  const codes = list.split(',').map((code) => /^"(.*)"$/.exec(code.trim())?.[1] ?? '');
  const printed = codes.filter((code) => /^[A-Z0-9]{3}$/.test(code)).slice(0, MAX_CODES);
  label.optionCodes = printed.length > 0 ? printed : null;
}

/** Null for a day that doesn't exist. */
function isoDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.toISOString().slice(0, 10)
    : null;
}
