import { indexOf, until, fromTop } from '../../reading/line-search.ts';
import { isMoney, isNoCharge, cents } from '../../reading/money.ts';
import type { Line, Label, OptionLine } from '../../reading/types.ts';
import { addOption, recordPricePlaces } from '../../reading/price-list.ts';
import { boxOf } from '../../reading/reader.ts';

/** The anchors that more than one part of the reader looks for. */
export const BASE = /^(?:Base Price|Prix de base)\s*:?\s*/i;
export const TOTAL = /^(?:TOTAL PRICE|PRIX TOTAL)\s*:?\s*\*?\s*/i;
export const DESTINATION = /^(?:Destination Charge|Frais d.exp[ée]dition)\b/i;
/** Anchored, because the heading of the standard equipment contains the same words. */
const OPTIONS =
  /^(?:OPTIONAL EQUIPMENT|ACCESSOIRES (?:OPTIONNELS|EN OPTION)|[ÉE]QUIPEMENTS? (?:OPTIONNELS?|EN OPTION))(?!\s*\))/i;
const STANDARD =
  /^(?:STANDARD EQUIPMENT|[ÉE]QUIPEMENT (?:DE S[ÉE]RIE|STANDARD)|ACCESSOIRES (?:DE S[ÉE]RIE|STANDARD))/i;

export const ASSEMBLY =
  /^(?:Assembly Point|(?:Point|Lieu|Usine) d(?:.|e |e l.)(?:assemblage|montage))[^:]*:\s*/i;
/** What else follows below the columns: the car's VIN, where it was shipped. */
const FOOT =
  /^(?:VIN\b|NIV\b|S\.\s?L\.|L4.VON|SHIP TO|SOLD TO|EXP[ÉE]DI[ÉE] [ÀA]|VENDU [ÀA]|THIS LABEL IS|\* ?STATE AND)/i;

/** The two columns of a label. A list too long for the left column continues at the top of the right one. */
export interface Columns {
  /** From the base price to the equipment: colors, engine, transmission. */
  head: Line[];
  /** Equipment and options of both columns in the order they are read, to the end of the right column. */
  lines: Line[];
  /** Where the columns begin. */
  margins: [number, number];
}

export function columnsOf(all: Line[]): Columns {
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
  const foot = Math.min(...inLeft.filter((line) => isFoot(line) && line.y > base.y).map(topOf));
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

const isFoot = ({ text }: Line): boolean => ASSEMBLY.test(text) || FOOT.test(text);
const topOf = (line: Line): number => line.y - line.size / 2;

/** In recorded text the lines come as they are read. */
function recorded(lines: Line[]): Columns {
  const stops = [indexOf(lines, STANDARD), indexOf(lines, OPTIONS)].filter((index) => index >= 0);
  const head = stops.length > 0 ? lines.slice(0, Math.min(...stops)) : lines;
  return { head, lines, margins: [0, Infinity] };
}

/** Children are indented by 0.4 em. */
const MIN_CHILD_INDENT_EM = 0.2;

/** Options from their heading to the destination charge, out of the left column into the right. */
export function readOptions(label: Label, { lines, margins }: Columns): void {
  const from = indexOf(lines, OPTIONS);
  if (from < 0) return;
  const listed = until(lines, from + 1, OPTIONS_END);
  if (listed.length === lines.length - from - 1) return;
  const em = lines[from]!.size;
  const block = withoutHeadings(lines[from]!, listed).filter(
    (line) => line.text.length > 1 && (!line.positioned || line.size < 1.2 * em),
  );
  let parent: OptionLine | null = null;
  const children = childrenOf(block, margins, label.year);
  for (const line of block) {
    const { name, price } = amountAtRight(line);
    if (price === null && children.has(line) && parent) {
      parent.children.push(name);
      continue;
    }
    const at = boxOf(line);
    parent = { name, price, children: [], ...(at ? { at } : {}) };
    addOption(label.prices, parent);
  }
  recordPricePlaces(label);
}

const OPTIONS_END = new RegExp(`${DESTINATION.source}|${TOTAL.source}`, 'i');

/** Words in brackets beside a heading are part of it. */
const isRemark = (line: Line, heading: Line): boolean =>
  line.positioned && line.text.startsWith('(') && Math.abs(line.y - heading.y) < heading.size / 2;

/** The lines under a heading without its own second line, which closes the bracket that the first opened. */
function withoutHeadings(heading: Line, lines: Line[]): Line[] {
  const isOpen = heading.text.includes('(') && !heading.text.includes(')');
  const closes = isOpen ? lines.slice(0, 2).findIndex((line) => line.text.trimEnd().endsWith(')')) : -1;
  return lines.slice(closes + 1).filter((line) => !OPTIONS.test(line.text) && !isRemark(line, heading));
}

/** An amount counts only as a run of its own at the right: a child may say `(vs 25MY: $2,515)`. */
function amountAtRight(line: Line): { name: string; price: number | null } {
  const last = line.cells.at(-1)!;
  if (line.cells.length > 1 && (isAmount(last.text) || isNoCharge(last.text))) {
    const names = line.cells.slice(0, -1).map((cell) => cell.text);
    return { name: names.join(' '), price: isNoCharge(last.text) ? null : cents(last.text) };
  }
  const item = line.items.at(-1)!;
  const text = item.text.trim();
  if (line.items.length > 1 && isAmount(text)) {
    return { name: line.text.slice(0, line.text.lastIndexOf(text)).trim(), price: cents(text) };
  }
  const recorded = line.positioned ? null : /\s([–-]?\$[\d,]+)$/.exec(line.text);
  if (recorded) return { name: line.text.slice(0, recorded.index), price: cents(recorded[1]!) };
  return { name: line.text, price: null };
}

function isAmount(text: string): boolean {
  return text.includes('$') && cents(text) !== null;
}

/** Lines set in from their column's margin. */
function childrenOf(
  block: Line[],
  [leftMargin, rightMargin]: Columns['margins'],
  year: number | null,
): Set<Line> {
  const isLeft = (line: Line): boolean => line.x < rightMargin - line.size;
  const left = block.filter(isLeft);
  const indented = (line: Line): boolean =>
    line.positioned && line.x - (isLeft(line) ? leftMargin : rightMargin) > MIN_CHILD_INDENT_EM * line.size;
  const children = new Set(block.filter(indented));
  // Some labels of 2018 set the left column's children flush with their parents.
  const flush = year === 2018 && left.length < block.length && !left.some((line) => children.has(line));
  if (flush) for (const line of flushChildren(left)) children.add(line);
  return children;
}

/** A package sold at no charge is named as one; other unpriced lines belong to the line above. */
function flushChildren(left: Line[]): Line[] {
  const first = left.findIndex((line) => amountAtRight(line).price !== null || isPackage(line.text));
  return left.slice(first + 1).filter((line) => !isPackage(line.text));
}

function isPackage(name: string): boolean {
  return /(?:Package|Pkg|Ensemble|Group)\.?\s+(?:–\s+)?\d[A-Z0-9]{2}$/i.test(name);
}

const STANDARD_END = new RegExp(`${OPTIONS.source}|${DESTINATION.source}|${TOTAL.source}`, 'i');
/** Names of sections, wherever their headings are. */
const SECTION = /\bFEATURES$|^(?:CARACT[ÉE]RISTIQUES|COMMODIT[ÉE]S)\b/;
/** Section headings are in capitals and indented by about 4 em from their items. */
const MIN_SECTION_INDENT_EM = 2;

export function readStandard({ lines, margins }: Columns): Label['standard'] {
  const at = indexOf(lines, STANDARD);
  const heading = lines[at];
  if (!heading) return [];
  const sections: Label['standard'] = [];
  const block = withoutHeadings(heading, until(lines, at + 1, STANDARD_END)).filter(
    // Logo fonts leave stray letters in large type between the lines.
    (line) => line.text.length > 1 && (!line.positioned || line.size < 1.2 * heading.size),
  );
  for (const line of block) {
    if (isSection(line, margins)) sections.push({ section: line.text, items: [] });
    else if (sections.length > 0) sections.at(-1)!.items.push(line.text);
    else sections.push({ section: null, items: [line.text] });
  }
  return sections;
}

function isSection(line: Line, [left, right]: Columns['margins']): boolean {
  if (line.text !== line.text.toUpperCase()) return false;
  if (SECTION.test(line.text)) return true;
  return (
    line.positioned &&
    line.x - (line.x < right - line.size ? left : right) > MIN_SECTION_INDENT_EM * line.size
  );
}
