import { indexOf } from './line-search.ts';
import type { Line } from './lines.ts';
import type { Label } from './types.ts';

const SECTION = /\bWARRANTY\b|\bGARANTIE\b/i;
const TERM = /^\d{1,2}\s?(?:-|–|\s)?\s?(?:YR|YEAR|AN)S?\b|^\d{1,2}YR/i;
const COVER = /WARRANT|GARANTIE/i;
const COVERAGE = /^(?:WARRANTY COVERAGE|GARANTIE)\s*:?$/i;
const ADVICE = /^Ask Dealer|see dealer|owner.?s manual|^\*/i;

/** Separates terms in one item. */
const STAR = /^\*\s*/;
const MAX_TERMS = 12;

/** The warranty's terms as printed, from its own box or from the standard equipment, which then no longer lists them. */
export function readWarranty(label: Label, lines: Line[]): void {
  const { terms, standard } = listed(label.standard);
  const found = [...boxed(lines), ...canadian(lines), ...terms];
  const distinct = [...new Set(found)].slice(0, MAX_TERMS);
  label.warranty = distinct.length > 0 ? distinct : null;
  // If some don't fit, the equipment keeps all of them.
  if (found.length <= MAX_TERMS) label.standard = standard;
}

/** Sentences under `WARRANTY COVERAGE`, each to its full stop. */
function boxed(lines: Line[]): string[] {
  const at = indexOf(lines, COVERAGE);
  if (at < 0) return [];
  const sentences: string[] = [];
  let open = '';
  for (const line of below(lines, at)) {
    if (open && TERM.test(line.text)) {
      sentences.push(open);
      open = '';
    }
    if (
      ADVICE.test(line.text) ||
      (open === '' && !TERM.test(line.text) && !/warranty|roadside/i.test(line.text))
    )
      break;
    open = open ? `${open} ${line.text}` : line.text;
    if (!open.endsWith('.')) continue;
    sentences.push(open);
    open = '';
  }
  return sentences;
}

/** The lines under one, in its column; in recorded text, the lines after it. */
function below(lines: Line[], at: number): Line[] {
  const head = lines[at]!;
  if (!head.positioned) return lines.slice(at + 1, at + 9);
  const column = lines
    .filter(({ x, y, page }) => page === head.page && y > head.y && Math.abs(x - head.x) < head.size * 1.5)
    .toSorted((one, other) => one.y - other.y)
    .slice(0, 8);
  const end = column.findIndex(({ y }, index) => y - (column[index - 1] ?? head).y > head.size * 2.2);
  return end < 0 ? column : column.slice(0, end);
}

/** `5-YEAR 100,000-KM` and the lines below it, up to the word WARRANTY. */
function canadian(lines: Line[]): string[] {
  const at = lines.findIndex(({ text }) => TERM.test(text) && /\d[–-]?\s?KM$/i.test(text));
  if (at < 0) return [];
  const block = [lines[at]!, ...below(lines, at)].slice(0, 6).map(({ text }) => text);
  const end = block.findIndex((text) => COVER.test(text));
  if (end < 0) return [];
  const next = block[end + 1];
  return [block.slice(0, end + 1).join(' '), ...(next && /roadside|routi[èe]re/i.test(next) ? [next] : [])];
}

/** Terms among the standard equipment, in a section of their own or among the owner's benefits, and the other equipment. */
function listed(equipment: Label['standard']): { terms: string[]; standard: Label['standard'] } {
  const terms: string[] = [];
  const others = equipment.map(({ section, items }) => {
    const own = SECTION.test(section ?? '');
    let last = -1;
    const kept = items.map((item) => {
      const parts = item.split(/\s(?=\*\s*[A-Z0-9])/);
      const rest = parts.filter((marked, at) => {
        const part = at === 0 ? marked : marked.replace(STAR, '');
        const goesOn = own && last >= 0 && !TERM.test(part) && !ADVICE.test(part) && !/PRICE|\$/.test(part);
        const isTerm = TERM.test(part) && (own || COVER.test(part));
        if (isTerm) last = terms.push(part) - 1;
        else if (goesOn && at === 0) terms[last] += ` ${part}`;
        else last = -1;
        return last < 0;
      });
      return rest.length === parts.length ? item : rest.join(' ').replace(STAR, '');
    });
    return { section, items: kept.filter((item) => item !== '') };
  });
  return { terms, standard: others.filter(({ items }) => items.length > 0) };
}
