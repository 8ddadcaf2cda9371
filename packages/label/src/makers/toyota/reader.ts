import { readTitle } from '../../reading/facts.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import { isRival, rightOf, rowAfter, type Row } from '../../reading/line-search.ts';
import type { Line } from '../../reading/lines.ts';
import { amountOf } from '../../reading/money.ts';
import { readDealer } from '../../reading/delivery.ts';
import { readModelLine } from '../../reading/nameplates.ts';
import { readPowertrain } from '../../reading/powertrain.ts';
import { blankLabel, marketOf, recordPlace, type Reader } from '../../reading/reader.ts';
import type { Label } from '../../reading/types.ts';
import { equipmentLines, standardOf } from './equipment.ts';
import { BASE, readPrices } from './options.ts';
import { readColors } from './paint.ts';

const DESCRIPTION = /^DESC(?:RIPTION)?\s?\.?\s?:/i;
/** Model year and model code: `2025/7540A`. */
const YEAR_AND_MODEL = /^YR\s?\/\s?MDL\s?:/i;

/** Toyota and Lexus: names of facts at the left, their values in the same row; then equipment and prices, a column each. */
export const reader: Reader = {
  family: 'toyota',
  version: 14,
  printsPaintCode: true,
  recognizes: (sheet) => /\b(?:TOYOTA|LEXUS)\b/i.test(sheet.words),
  read(sheet, context) {
    const { lines } = sheet;
    const lexus = /\bLEXUS\b/i.test(sheet.words) && !/\bTOYOTA\b/.test(sheet.words);
    const label = blankLabel(context.make ?? (lexus ? 'Lexus' : 'Toyota'), marketOf(sheet));
    const equipment = equipmentLines(lines);
    const head = leftOf(lines, [...equipment, ...lines.filter(({ text }) => BASE.test(text))]);
    readModel(label, head);
    readColors(label, head);
    if (!readPrices(label, lines) && !label.exterior) return null;
    label.standard = standardOf(equipment);
    readPowertrain(label, equipment, /^MECHANICAL & PERFORMANCE/i);
    readDelivery(label, lines);
    readFederalBoxes(label, sheet);
    return { label };
  },
};

const DELIVERED = /^Delivered by (\w+(?: \w+)?) to\s*:\s*/i;
const CREATED = /^Created on (20\d{2}-[01]\d-[0-3]\d)\b/;

/** `Delivered by Truck to: 27021` above the dealer's address, and the day the file was made, in large type. */
function readDelivery(label: Label, lines: Line[]): void {
  const created = lines.find(({ text }) => CREATED.test(text));
  label.created = CREATED.exec(created?.text ?? '')?.[1] ?? null;
  recordPlace(label, 'created', created);
  const heading = lines.find(({ text }) => DELIVERED.test(text));
  if (!heading) return;
  label.delivery.transport = DELIVERED.exec(heading.text)![1]!;
  recordPlace(label, 'delivery.transport', heading);
  const beside = heading.positioned ? rightOf(lines, heading)[0]?.text : undefined;
  const code = heading.text.replace(DELIVERED, '') || beside;
  readDealer(label, lines, heading, /^\d{5}$/.test(code ?? '') ? code! : null);
}

/** The lines to the left of the columns that begin with others. Recorded text has one column. */
function leftOf(lines: Line[], others: Line[]): Line[] {
  const left = others.reduce((edge, { positioned, x }) => (positioned ? Math.min(edge, x) : edge), Infinity);
  return lines.filter(({ x }) => x < left);
}

/** `TACOMA SR5` and `4X4 DOUBLE CAB` are two fields of one row. Another form may have a title with the year instead. */
function readModel(label: Label, lines: Line[]): void {
  const model = rowAfter(lines, DESCRIPTION);
  const year = rowAfter(lines, YEAR_AND_MODEL);
  if (!model && !year) readTitle(label, lines);
  if (!year) return;
  label.year = Number(/^(20\d{2})\s?\//.exec(year.values[0] ?? '')?.[1]) || null;
  if (!model || model.values.length === 0 || fieldsIn(model) > 2) return;
  // An amount in the row is not part of the name, and values begin at one edge.
  if (model.lines.some((line) => amountOf(line) !== null) || !isAligned(model, year)) return;
  readModelLine(label, model.values.join(' '), model.lines);
}

/** A field may be printed as several texts, if they are close together and in one type. */
function fieldsIn({ lines }: Row): number {
  return lines.filter((line, at) => at === 0 || !continues(line, lines[at - 1]!)).length;
}

function continues(line: Line, before: Line): boolean {
  const isSameType = Math.abs(line.size - before.size) <= 0.05 * before.size;
  return isSameType && Math.abs(line.y - before.y) <= 0.1 * before.size && isRival(line, before);
}

function isAligned(one: Row, other: Row): boolean {
  return one.x === null || other.x === null || Math.abs(one.x - other.x) < one.lines[0]!.size / 2;
}
