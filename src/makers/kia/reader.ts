import { featuresOf, isCapitals } from '../../reading/features.ts';
import { indexOf, until, valueOf } from '../../reading/find.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import { withoutAmount } from '../../reading/money.ts';
import { readPriceList } from '../../reading/price-list.ts';
import { blankLabel, marketOf, note, type Reader } from '../../reading/reader.ts';
import { shipToOf } from '../../reading/ship-to.ts';

const NEXT_FACT = /\s*(?:INTERIOR COLOR|VEHICLE ID NUMBER|PORT OF ENTRY|MODEL\/OPT|SOLD TO|SHIP TO)\s?:.*$/i;

/** Kia: facts with a colon, then the price list. A priced paint line carries no code. */
export const kia: Reader = {
  family: 'kia',
  version: 3,
  recognises: (sheet) => /MODEL\/OPT\.?\s?CODE|INLAND FREIGHT AND HANDLING/i.test(sheet.words),
  read(sheet, context) {
    const { lines } = sheet;
    const label = blankLabel(context.make ?? 'Kia', marketOf(sheet));
    const model = lines.find((line) => /^20\d{2} [A-Z0-9]/.test(line.text));
    label.model = model?.text ?? null;
    label.year = model ? Number(model.text.slice(0, 4)) : null;
    note(label, 'model', model);
    const exterior = valueOf(lines, /\bEXTERIOR COLOR\s?:/);
    const interior = valueOf(lines, /\bINTERIOR COLOR\s?:/);
    const color = exterior && withoutAmount(exterior.text.replace(NEXT_FACT, ''));
    label.exterior = color ? { color, code: null } : null;
    label.interior = interior?.text.replace(NEXT_FACT, '') || null;
    note(label, 'exterior', exterior?.line);
    note(label, 'interior', interior?.line);
    const hasPrices = readPriceList(label, lines, {
      base: /^MANUFACTURER.?S SUGGESTED RETAIL PRICE/i,
      options: /^ADDITIONAL INSTALLED EQUIPMENT/i,
      destination: /^INLAND FREIGHT AND HANDLING/i,
      total: /^TOTAL MANUFACTURER.?S SUGGESTED RETAIL PRICE/i,
      skip: /^\(In addition to|^MSRP INCLUDING OPTIONS/i,
    });
    if (!label.exterior && !hasPrices) return null;
    const standard = indexOf(lines, /^STANDARD FEATURES/);
    const price = indexOf(lines, /^MANUFACTURER.?S SUGGESTED RETAIL PRICE/i);
    if (standard >= 0) {
      const compared =
        price < 0 ? [] : until(lines, price + 1, /^ADDITIONAL INSTALLED|^MSRP INCLUDING|^INLAND FREIGHT/i);
      const features = until(lines, standard + 1, /^MANUFACTURER.?S SUGGESTED/i);
      label.standard = [
        ...(features.length ? featuresOf(features, isCapitals) : []),
        ...featuresOf(compared, isCapitals),
      ];
    }
    label.shipTo = shipToOf(lines, /^SHIP TO\s?:/i);
    readFederalBoxes(label, sheet);
    return { label };
  },
};
