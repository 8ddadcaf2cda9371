import { featuresOf, isCapitals, readPowertrain } from '../../reading/features.ts';
import { columnAround, factOf, indexOf, until } from '../../reading/line-search.ts';
import { receiverOf, codeIn, readDealer } from '../../reading/delivery.ts';
import { readTitle } from '../../reading/vehicles.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import type { Line, Label } from '../../reading/types.ts';
import { withoutAmount } from '../../reading/money.ts';
import { readPriceList } from '../../reading/price-list.ts';
import { blankLabel, marketOf, recordPlace, setText, type Reader } from '../../reading/reader.ts';

const FACT =
  /(?:EXTERIOR COLOR|INTERIOR COLOR|VEHICLE ID NUMBER|PORT OF ENTRY|MODEL\/OPT\.?\s?CODE|SOLD TO|SHIP TO)\s?:/i;
const SOLD_TO = /^SOLD TO\s?:/i;
/** The price, and not the sentence that says what it includes. */
const BASE = /^MANUFACTURER.?S SUGGESTED RETAIL PRICE(?!\s+[a-z])/i;

/** Kia: facts with a colon, then the price list. A priced paint line carries no code. */
export const reader: Reader = {
  family: 'kia',
  version: 12,
  recognizes: (sheet) => /MODEL\/OPT\.?\s?CODE|INLAND FREIGHT AND HANDLING/i.test(sheet.words),
  read(sheet, context) {
    const { lines } = sheet;
    const label = blankLabel(context.make ?? 'Kia', marketOf(sheet));
    readTitle(label, lines);
    const exterior = factOf(lines, /^.*?\bEXTERIOR COLOR\s?:/, FACT);
    const interior = factOf(lines, /^.*?\bINTERIOR COLOR\s?:/, FACT);
    const color = exterior && withoutAmount(exterior.text);
    label.exterior = color ? { color, code: null } : null;
    recordPlace(label, 'exterior', exterior?.line);
    setText(label, 'interior', interior?.text, interior?.line);
    const base = lines[indexOf(lines, BASE)];
    const list = base ? columnAround(lines, base) : [];
    const hasPrices = readPriceList(label, list, {
      base: BASE,
      options: /^ADDITIONAL INSTALLED EQUIPMENT/i,
      destination: /^INLAND FREIGHT (?:AND|&) HANDLING/i,
      total: /^TOTAL MANUFACTURER.?S SUGGESTED RETAIL PRICE/i,
      subtotal: /^MSRP INCLUDING OPTIONS/i,
      skip: /^\(In addition to/i,
    });
    if (!label.exterior && !hasPrices) return null;
    label.standard = standardOf(lines, list);
    readPowertrain(label, lines, /^MECHANICAL$/);
    const soldTo = lines.find(({ text }) => SOLD_TO.test(text));
    readDealer(label, lines, soldTo, codeIn(soldTo, SOLD_TO));
    label.shipTo = receiverOf(lines, SOLD_TO, /^SHIP TO\s?:/i);
    readFederalBoxes(label, sheet);
    return { label };
  },
};

/** Two lists: the features of the lower trim, and what this trim adds to them, printed among the prices. */
function standardOf(lines: Line[], prices: Line[]): Label['standard'] {
  const standard = indexOf(lines, /^STANDARD FEATURES/);
  if (standard < 0) return [];
  const features = until(lines, standard + 1, /^MANUFACTURER.?S SUGGESTED|^\*+\s?[A-Z]|^SOLD TO/i);
  const added = until(
    prices,
    indexOf(prices, BASE) + 1,
    /^ADDITIONAL INSTALLED|^MSRP INCLUDING|^INLAND FREIGHT/i,
  );
  return [features, added].flatMap((list) => {
    const listed = list.filter(({ text }) => !ABOUT_A_LIST.test(text));
    return featuresOf(listed, isCapitals).map(({ section, items }) => ({
      section,
      items: items.map((item) => item.replace(/^-\s+/, '')),
    }));
  });
}

/** Says what a list is about: the trim it belongs to. */
const ABOUT_A_LIST = /^STANDARD .*FEATURES$|^Added to\/in place of standard/;
