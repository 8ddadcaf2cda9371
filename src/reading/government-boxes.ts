import type { FuelEconomy, Label } from './types.ts';
import { indexOf } from './find.ts';
import { fuelEconomyOf } from './fuel-economy.ts';
import { partsOf } from './parts.ts';
import { placeOfItems } from './places.ts';
import { note, type Sheet } from './reader.ts';
import { starsOf } from './stars.ts';

const ASSEMBLY = /^FINAL ASSEMBLY POINT\s?:?\s*/i;

/** The boxes the law asks for, worded alike by every make: fuel economy, safety ratings, parts and assembly. */
export function readGovernmentBoxes(label: Label, sheet: Sheet): void {
  const economy = fuelEconomyOf(sheet);
  label.fuelEconomy = economy?.fuel ?? inWords(sheet);
  if (economy) label.places['fuelEconomy'] = placeOfItems(economy.items);
  label.safety = starsOf(sheet);
  label.parts = partsOf(sheet);
  const at = label.assembly === null ? indexOf(sheet.lines, ASSEMBLY) : -1;
  const line = sheet.lines[at];
  if (!line) return;
  const own = line.text.replace(ASSEMBLY, '');
  const next = sheet.lines[at + 1];
  const where = own || !next || next.text.includes(':') ? line : next;
  label.assembly = where === line ? own || null : where.text;
  if (label.assembly) note(label, 'assembly', where);
}

/**
 * In text that has lost its positions: `26combined city/hwy` glued into one run, or `26 33` above
 * `combined city/hwy city highway`. It counts only when the three figures agree.
 */
function inWords(sheet: Sheet): FuelEconomy | null {
  const lines = sheet.lines.map((line) => line.text);
  const glued = (words: RegExp): number | null => {
    for (const line of lines) {
      const found = words.exec(line);
      if (found) return Number(found[1]);
    }
    return null;
  };
  const combined = glued(/^(\d{1,3})\s?combined city\/h/i);
  const found =
    combined === null
      ? inRows(lines)
      : { combined, city: glued(/\b(\d{1,3})\s?city$/i), highway: glued(/\b(\d{1,3})\s?highway$/i) };
  if (!found) return null;
  const { city, highway } = found;
  if (city === null || highway === null) return null;
  const mean = 1 / (0.55 / city + 0.45 / highway);
  const unit = /MPGe?\b/.exec(sheet.words)?.[0];
  return unit && Math.abs(mean - found.combined) < 1.5
    ? { city, highway, combined: found.combined, unit }
    : null;
}

function inRows(lines: string[]): { city: number; highway: number; combined: number } | null {
  const words = lines.findIndex((line) => /combined city\/h\w+ city highway$/i.test(line));
  const pair = /^(\d{1,3}) (\d{1,3})$/.exec(lines[words - 1] ?? '');
  const alone = lines.slice(Math.max(0, words - 8), words).find((line) => /^\d{1,3}$/.test(line));
  return pair && alone ? { city: Number(pair[1]), highway: Number(pair[2]), combined: Number(alone) } : null;
}
