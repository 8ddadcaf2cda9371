import { indexOf } from '../../reading/line-search.ts';
import { fromTop } from '../../reading/reading-order.ts';
import { isMoney } from '../../reading/money.ts';
import type { Line } from '../../reading/lines.ts';

/** The anchors that more than one part of the reader looks for. */
export const BASE = /^(?:Base Price|Prix de base)\s*:?\s*/i;
export const TOTAL = /^(?:TOTAL PRICE|PRIX TOTAL)\s*:?\s*\*?\s*/i;
export const DESTINATION = /^(?:Destination Charge|Frais d.exp[ée]dition)\b/i;
/** Anchored, because the heading of the standard equipment contains the same words. */
export const OPTIONS =
  /^(?:OPTIONAL EQUIPMENT|ACCESSOIRES (?:OPTIONNELS|EN OPTION)|[ÉE]QUIPEMENTS? (?:OPTIONNELS?|EN OPTION))(?!\s*\))/i;
export const STANDARD =
  /^(?:STANDARD EQUIPMENT|[ÉE]QUIPEMENT (?:DE S[ÉE]RIE|STANDARD)|ACCESSOIRES (?:DE S[ÉE]RIE|STANDARD))/i;

/** What follows below the columns: where the car was built, its VIN, where it was shipped. */
const FOOT =
  /^(?:Assembly Point|(?:Point|Lieu|Usine) (?:d.|de l.)|VIN\b|NIV\b|S\.\s?L\.|L4.VON|SHIP TO|SOLD TO|EXP[ÉE]DI[ÉE] [ÀA]|VENDU [ÀA]|THIS LABEL IS|\* ?STATE AND)/i;

/** The two columns of a label. A list too long for the left column continues at the top of the right one. */
export interface Flow {
  /** From the base price to the equipment: colors, engine, transmission. */
  head: Line[];
  /** Equipment and options of both columns in the order they are read, to the end of the right column. */
  lines: Line[];
  /** Where the columns begin. */
  margins: [number, number];
}

export function flowOf(all: Line[]): Flow {
  const base = all[indexOf(all, BASE)]!;
  if (!base.positioned) return recorded(all);
  const page = all.filter((line) => line.page === base.page);
  const destination = page.find((line) => DESTINATION.test(line.text));
  const standard = page.find((line) => STANDARD.test(line.text));
  const options = page.find((line) => OPTIONS.test(line.text));
  const em = (destination ?? base).size;
  // The left column begins where its headings do: the base price is centered in a box.
  const isRight = (line: Line | undefined): boolean => line !== undefined && line.x > base.right;
  const leftmost = [standard, options, destination].filter((line) => line && !isRight(line));
  const left = Math.min(...leftmost.map((line) => line!.x), base.x);
  const rights = [destination, options].filter(isRight).map((line) => line!.x);
  const right = rights.length > 0 ? Math.min(...rights) : Infinity;
  const edge = right - 1.5 * em;
  const inLeft = page.filter((line) => line.x > left - 2 * em && line.x < Math.min(edge, left + 32 * em));
  const top = base.y - 6 * base.size;
  const foot = Math.min(...inLeft.filter((line) => FOOT.test(line.text) && line.y > base.y).map(topOf));
  const end = destination?.right ?? right + 30 * em;
  const inRight = page.filter(
    (line) => line.x >= edge && line.x < end && line.y > top && line.y < foot && line.size < 1.3 * em,
  );
  const body = standard && !isRight(standard) ? standard : options && !isRight(options) ? options : null;
  const starts = body?.y ?? Infinity;
  return {
    head: fromTop(inLeft.filter((line) => line.y > base.y && line.y < Math.min(starts, foot))).map(
      withoutAmount,
    ),
    lines: [...fromTop(inLeft.filter((line) => line.y >= starts && line.y < foot)), ...fromTop(inRight)],
    margins: [left, right],
  };
}

/** Colors and engine have no price: an amount in their row belongs to the right column. */
function withoutAmount(line: Line): Line {
  const names = line.cells.filter(({ text }) => !isMoney(text));
  if (names.length === 0 || names.length === line.cells.length) return line;
  return { ...line, text: names.map(({ text }) => text).join(' '), cells: names, right: names.at(-1)!.right };
}

const topOf = (line: Line): number => line.y - line.size / 2;

/** In recorded text the lines come as they are read. */
function recorded(lines: Line[]): Flow {
  const stops = [indexOf(lines, STANDARD), indexOf(lines, OPTIONS)].filter((index) => index >= 0);
  const head = stops.length > 0 ? lines.slice(0, Math.min(...stops)) : lines;
  return { head, lines, margins: [0, Infinity] };
}
