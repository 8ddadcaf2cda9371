import { withoutSlash, indexOf, until, valueOf } from '../../reading/line-search.ts';
import { featuresOf, isCapitals } from '../../reading/features.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import { withoutAmount } from '../../reading/money.ts';
import { readPriceList } from '../../reading/price-list.ts';
import { readModelLine } from '../../reading/vehicles.ts';
import { blankLabel, marketOf, recordPlace, setText, type Reader } from '../../reading/reader.ts';

const INTERIOR = /\bInterior Color\s?:/i;

/** Subaru: the color is in the price column, under the base price. */
export const reader: Reader = {
  family: 'subaru',
  version: 13,
  recognizes: (sheet) =>
    /\bSUBARU\b/.test(sheet.words) && /Suggested Retail Price|Model\/Code/i.test(sheet.words),
  read(sheet, context) {
    const { lines } = sheet;
    const label = blankLabel(context.make ?? 'Subaru', marketOf(sheet));
    const model = valueOf(lines, /^Model\/Code\b:?/i);
    if (model) readModelLine(label, model.text, [model.line]);
    label.year = Number(/^20\d{2}\b/.exec(model?.text ?? '')?.[0] ?? NaN) || null;
    const exterior = valueOf(lines, /\bExterior Color\s?:/i);
    const interior = valueOf(lines, INTERIOR);
    // It may share its line with the interior.
    const color = exterior && withoutAmount(withoutSlash(exterior.text.split(INTERIOR)[0]!));
    label.exterior = color ? { color, code: null } : null;
    recordPlace(label, 'exterior', exterior?.line);
    setText(label, 'interior', interior && withoutAmount(interior.text), interior?.line);
    const hasPrices = readPriceList(label, lines, {
      base: /^Manufacturer.?s Suggested Retail Price/i,
      options: /^OPTIONAL EQUIPMENT AND OTHER ITEMS/i,
      destination: /^Destination and Delivery/i,
      total: /^Total Suggested Retail Price/i,
      skip: /^(?:Exterior|Interior) Color\s?:(?!.*\$)/i,
    });
    if (!label.exterior && !hasPrices) return null;
    const standard = indexOf(lines, /^STANDARD EQUIPMENT/);
    if (standard >= 0)
      label.standard = featuresOf(
        until(lines, standard + 1, /^OPTIONAL EQUIPMENT AND OTHER|^Manufacturer.?s Suggested/i),
        isCapitals,
      );
    readFederalBoxes(label, sheet);
    return { label };
  },
};
