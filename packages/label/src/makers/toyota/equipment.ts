import { isCapitals } from '../../reading/features.ts';
import { indexOf, until } from '../../reading/line-search.ts';
import type { Line } from '../../reading/lines.ts';
import { fromTop } from '../../reading/reading-order.ts';
import type { Label } from '../../reading/types.ts';

const TITLE = /^STANDARD EQUIPMENT\b/i;
const PRICES = /^(?:BASE MANUFACTURER|OPTIONAL EQUIPMENT)\b/i;
const ITEM = /^[-–]\s*(?=\S)/;
/** Under the list in text without positions; on a page, the list ends where a line has neither dash nor indent. */
const BELOW = /^(?:For Full|Please Visit|\*)/i;

/** The lines of the standard equipment: on a page, those at the left edge of its items or slightly indented. */
export function equipmentLines(lines: Line[]): Line[] {
  const at = indexOf(lines, TITLE);
  const title = lines[at];
  if (!title) return [];
  if (!title.positioned) return until(lines, at + 1, PRICES);
  const under = fromTop(lines.filter(({ page, y }) => page === title.page && y > title.y));
  const first = under.find(({ text, x, right }) => ITEM.test(text) && x < title.right && right > title.x);
  if (!first) return [];
  return under.filter(
    ({ x, size }) => x > first.x - 0.5 * size && x < first.x + 3 * size && size < 1.5 * first.size,
  );
}

/** Items begin with a dash and wrap with an indent. Other lines at the left are headings if an item follows. */
export function standardOf(lines: Line[]): Label['standard'] {
  const sections: Label['standard'] = [];
  const left = lines.find(({ text }) => ITEM.test(text))?.x ?? 0;
  const goesOn = (line: Line, above: Line | undefined): boolean =>
    line.positioned
      ? line.x > left + 0.25 * line.size && line.y - (above?.y ?? -Infinity) < 1.5 * line.size
      : !isCapitals(line) && !BELOW.test(line.text);
  let isOpen = false;
  lines.forEach((line, index) => {
    const items = sections.at(-1)?.items;
    if (ITEM.test(line.text)) {
      const item = line.text.replace(ITEM, '');
      if (items) items.push(item);
      else sections.push({ section: null, items: [item] });
      isOpen = true;
    } else if (isOpen && goesOn(line, lines[index - 1])) items!.push(`${items!.pop()} ${line.text}`);
    else {
      isOpen = false;
      if (ITEM.test(lines[index + 1]?.text ?? '')) sections.push({ section: line.text, items: [] });
    }
  });
  return sections;
}
