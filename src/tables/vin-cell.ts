import { parseVin, tidyVin, vinsIn } from '@monroney/vin/text';

/** VINs in the cells of a table. Runs in browsers too. */

/** Up to seventeen characters, with `*` for unknown ones. */
const PARTIAL_VIN = /^(?=.*\*)[A-HJ-NPR-Z0-9*]{3,17}$/;
/** A long number as Excel shows it, with a comma in some countries. */
const EXCEL_NUMBER = /^\d(?:[.,]\d+)?E\+1\d$/i;

/** The VIN in a text, which may say more than that. */
export function vinIn(text: string): { vin: string } | { error: string } {
  const tidy = tidyVin(text);
  const parsed = parseVin(tidy);
  if (parsed.ok) return { vin: parsed.vin };
  if (PARTIAL_VIN.test(tidy)) return { vin: tidy };
  const found = vinsIn(text);
  if (found.length === 1) return { vin: found[0]! };
  if (found.length > 1) return { error: `There are ${found.length} VINs here. Give one per row.` };
  if (EXCEL_NUMBER.test(text.trim()))
    return {
      error: `Excel turned this VIN into ${text.trim()}. Format the column as text and export again.`,
    };
  return { error: parsed.message };
}

/** Whether a cell has a VIN and nothing else, or one that Excel was told to keep as text. */
export function isVinCell(text: string): boolean {
  return parseVin(tidyVin(text.replace(/^="(.*)"$/, '$1'))).ok || EXCEL_NUMBER.test(text.trim());
}
