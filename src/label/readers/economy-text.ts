import type { FuelEconomy } from '../types.ts';
import type { Sheet } from './reader.ts';
import { fuelEconomyOf } from './fuel-economy.ts';

/**
 * Fuel economy by position or, in text that has lost it, by words: `26combined city/hwy` glued into one run, or
 * `26 33` above `combined city/hwy city highway`. By words it counts only when the three figures agree.
 */
export function economyOf(sheet: Sheet): FuelEconomy | null {
  return fuelEconomyOf(sheet)?.fuel ?? inWords(sheet);
}

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
