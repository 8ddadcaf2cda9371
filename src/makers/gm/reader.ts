import { indexOf, lastIndexOf } from '../../reading/find.ts';
import { isCelestiq, readCelestiq } from './celestiq.ts';
import { readHeader } from './header.ts';
import { OPTIONS, readPrices } from './prices.ts';
import { readStandard } from './standard.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import type { Line } from '../../reading/lines.ts';
import {
  blankLabel,
  note,
  type Read,
  type ReadContext,
  type Reader,
  type Sheet,
} from '../../reading/reader.ts';
import { shipToOf } from '../../reading/ship-to.ts';

/** The heading, not the explanation that ends `… STANDARD EQUIPMENT SHOWN)`. */
const STANDARD = /^STANDARD EQUIPMENT\s*(?:\/|$)/i;
const ASSEMBLY = /^FINAL ASSEMBLY(?: POINT|\s*\/\s*USINE D.ORIGINE)?\s*:/i;
const CANADA = /EXTERIOR \/ EXT[EÉ]RIEUR|General Motors of Canada|"GMCANADA"|nrcan\.gc\.ca/i;
const FRENCH = /^Visitez\b.*www|^MOTEUR\b/m;
const PRICED = /^(?:STANDARD VEHICLE PRICE|TOTAL VEHICLE PRICE|PRIX TOTAL)/i;
/** The band of columns that holds equipment and prices, in points. */
const BLOCK = { top: 118, bottom: 424 };

export const gm: Reader = {
  family: 'gm',
  version: 3,
  recognises: ({ words }) =>
    /General Motors|GMLBL_|"maker":"|^STANDARD VEHICLE (?:PRICE|MSRP)/im.test(words) &&
    /\bEXTERIOR[^:\n]{0,14}:/.test(words),
  read,
};

function read(sheet: Sheet, context: ReadContext): Read | null {
  const lines = sheet.lines.filter((line) => !isHidden(line));
  const market = CANADA.test(sheet.words) ? 'CA' : 'US';
  const make = makeOf(sheet, context);
  if (!make) return null;
  const label = blankLabel(make, market, market === 'CA' && FRENCH.test(sheet.words) ? 'fr' : 'en');
  readHeader(label, lines);
  const block = visibleBlock(lines);
  if (!label.exterior && block.length === 0) return null;

  const options = isCelestiq(lines) ? readCelestiq(label, lines) : readPrices(label, block);
  if (block[0] && STANDARD.test(block[0].text)) label.standard = readStandard(block);

  const assembly = indexOf(lines, ASSEMBLY);
  label.assembly = assembly < 0 ? null : (lines[assembly + 1]?.text ?? null);
  if (assembly >= 0) note(label, 'assembly', lines[assembly + 1]);
  readFederalBoxes(label, sheet);
  label.shipTo = shipToOf(lines, /^(?:DEALER TO WHOM DELIVERED|DELIVERED TO)/i);
  return options ? { label, options } : { label };
}

/** A line of option codes for machines, in type too small to be meant for eyes. */
function isHidden(line: Line): boolean {
  return line.positioned ? line.size < 4 : line.text.startsWith('{"');
}

/**
 * The block of equipment and prices is set again and again until it fits, each try painted over by a white
 * rectangle: only the last is seen on the label.
 */
function visibleBlock(lines: Line[]): Line[] {
  const standard = lastIndexOf(lines, STANDARD);
  const priced = standard >= 0 && indexOf(lines, PRICED, standard) >= 0;
  const options = lastIndexOf(lines, OPTIONS);
  const from = priced || options < 0 ? standard : options;
  if (from < 0) return [];
  return lines
    .slice(from)
    .filter((line) => !line.positioned || (line.y > BLOCK.top && line.y < BLOCK.bottom));
}

function makeOf(sheet: Sheet, context: ReadContext): string | undefined {
  const site = /www\.(buick|cadillac|chevrolet|chevy|gmc)/i.exec(sheet.words)?.[1]?.toLowerCase();
  const written: Record<string, string> = {
    buick: 'Buick',
    cadillac: 'Cadillac',
    chevrolet: 'Chevrolet',
    chevy: 'Chevrolet',
    gmc: 'GMC',
  };
  return context.make ?? (site ? written[site] : undefined);
}
