import type { Label, OptionLine } from '../../reading/types.ts';
import { featuresOf } from '../../reading/features.ts';
import { indexOf, lineAfter, until } from '../../reading/find.ts';
import { descriptionOf } from './description.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import type { Line } from '../../reading/lines.ts';
import { amountOf, cents, priced } from '../../reading/money.ts';
import { placeOf } from '../../reading/places.ts';
import { withLoneAmounts } from '../../reading/price-list.ts';
import { total as sumOf } from '../../reading/proof.ts';
import { blankLabel, marketOf, note, type OptionsSum, type Reader } from '../../reading/reader.ts';

const SECTIONS =
  /^(?:EXTERIOR|INTERIOR|FUNCTIONAL|SAFETY\s?\/\s?SECURITY|SAFETY|WARRANTY|TECHNOLOGY|POWERTRAIN|CONVENIENCE)$/;
const AFTER_STANDARD =
  /^(?:INCLUDED ON THIS VEHICLE|PRICE INFORMATION|VEHICLE DESCRIPTION|EQUIPMENT GROUP|OPTIONAL EQUIPMENT|SOLD TO|TOTAL MSRP|FINAL ASSEMBLY|EPA$|GOVERNMENT 5|PARTS CONTENT|WARNING|\(MSRP\))/;
/** Ford and Lincoln: two columns of description, one of prices, and the total apart from both. */
export const ford: Reader = {
  family: 'ford',
  version: 3,
  recognises: (sheet) => /VEHICLE DESCRIPTION/.test(sheet.words),
  read(sheet, context) {
    const description = descriptionOf(sheet);
    if (!description) return null;
    const { lines } = sheet;
    const lincoln = /^.L/.test(context.vin ?? sheet.vin ?? '');
    const label = blankLabel(context.make ?? (lincoln ? 'Lincoln' : 'Ford'), marketOf(sheet));
    const { model, exterior, interior, engine, transmission, places } = description;
    Object.assign(label, { model, interior, engine, transmission });
    label.year = Number(/^(?:19|20)\d{2}\b/.exec(model ?? '')?.[0] ?? NaN) || null;
    label.exterior = exterior === null ? null : { color: exterior, code: null };
    Object.assign(label.places, places);
    const plant = lineAfter(lines, /^FINAL ASSEMBLY PLANT$/);
    if (plant && /^[A-Z][A-Z ,.'/-]+$/.test(plant.text)) {
      label.assembly = plant.text;
      note(label, 'assembly', plant);
    }
    const options = readPrices(label, lines);
    const standard = indexOf(lines, /^STANDARD EQUIPMENT INCLUDED/);
    if (standard >= 0)
      label.standard = featuresOf(until(lines, standard + 1, AFTER_STANDARD), (line) =>
        SECTIONS.test(line.text),
      );
    readFederalBoxes(label, sheet);
    return options ? { label, options } : { label };
  },
};

function readPrices(label: Label, printed: Line[]): OptionsSum | null {
  const { prices } = label;
  const lines = printed;
  const at = indexOf(lines, /^PRICE INFORMATION/);
  const included = indexOf(lines, /INCLUDED ON THIS VEHICLE$/);
  const from = included < 0 ? indexOf(lines, /^OPTIONAL EQUIPMENT\/OTHER/) : included;
  if (at < 0) return null;
  if (from >= 0 && from < at) prices.options = optionsOf(withLoneAmounts(lines.slice(from + 1, at)));
  prices.options.forEach((option, index) => {
    if (option.at) label.places[`prices.options.${index}`] = option.at;
  });
  const end = /^(?:\(MSRP\)|STANDARD EQUIPMENT|SOLD TO|TOTAL MSRP|TOTAL SAVINGS|EPA$)/;
  const list = withLoneAmounts(until(lines, at + 1, end).slice(0, 24));
  for (const line of list) readPriceLine(label, line);
  const total = totalOf(printed);
  prices.total = total ? amountOf(total) : null;
  note(label, 'prices.total', total);
  const sum = amountOf(list.find((line) => line.text.startsWith('TOTAL OPTIONS')));
  return sum === null ? null : { printed: sum, sum: sumOf(prices.options) };
}

/** Base, destination and whatever is charged or taken off beside them. Ford prints cents everywhere. */
function readPriceLine(label: Label, line: Line): void {
  const { prices } = label;
  const { name, printed } = priced(line);
  const price = printed && /\.\d{2}$/.test(printed) ? cents(printed) : null;
  if (price === null || name === '' || name.startsWith('TOTAL')) return;
  const sums = { base: 'BASE PRICE', destination: 'DESTINATION' } as const;
  for (const field of ['base', 'destination'] as const) {
    if (!name.startsWith(sums[field])) continue;
    prices[field] = price;
    note(label, `prices.${field}`, line);
    return;
  }
  const list = price < 0 ? 'discounts' : /\bTAX\b/.test(name) ? 'taxes' : 'fees';
  note(label, `prices.${list}.${prices[list].length}`, line);
  prices[list].push({ name, price, at: placeOf(line) });
}

/** A dotted line belongs to the option or equipment group above it. */
function optionsOf(lines: Line[]): OptionLine[] {
  const options: OptionLine[] = [];
  let group: OptionLine | null = null;
  let inGroup = false;
  for (const line of lines) {
    if (line.text.startsWith('OPTIONAL EQUIPMENT')) {
      inGroup = false;
      continue;
    }
    if (/^_+$/.test(line.text)) continue;
    const { name, price, printed } = priced(line);
    const parent: OptionLine | null = inGroup ? group : (options.at(-1) ?? null);
    if (parent && printed === null && (name.startsWith('.') || inGroup)) {
      parent.children.push(name.replace(/^\.\s*/, ''));
      continue;
    }
    const option: OptionLine = { name: name.replace(/^\.\s*/, ''), price, children: [], at: placeOf(line) };
    options.push(option);
    if (name.startsWith('EQUIPMENT GROUP')) [group, inGroup] = [option, true];
  }
  return options;
}

const isDollars = (line: Line): boolean => /^\$\s?\d[\d,]*\.\d{2}$/.test(line.text);

/** The amount stands beside its words, near them, or lines away: the next line that is nothing but dollars. */
function totalOf(lines: Line[]): Line | null {
  const at = indexOf(lines, /^TOTAL MSRP/);
  const anchor = lines[at];
  if (!anchor) return null;
  if (amountOf(anchor) !== null) return anchor;
  const isNear = (line: Line): boolean =>
    isDollars(line) && Math.abs(line.y - anchor.y) < 24 && Math.abs(line.x - anchor.x) < 420;
  const near = anchor.positioned ? lines.find(isNear) : null;
  return near ?? lines.slice(at + 1, at + 14).find(isDollars) ?? null;
}
