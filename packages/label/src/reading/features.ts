import type { Label } from './types.ts';
import type { Line } from './lines.ts';
import { priced } from './money.ts';

const BULLET = /^[·•]\s*/;
const CONTINUED = /(?<!\s)\s*\(cont\.?\)$/i;

/**
 * Standard equipment by section. A heading is a line that `isHeading` accepts and that has items under it; a
 * bulleted list joins the lines that continue without a bullet.
 */
export function featuresOf(lines: Line[], isHeading: (line: Line) => boolean): Label['standard'] {
  const sections: Label['standard'] = [];
  const bulleted = lines.filter((line) => BULLET.test(line.text)).length > lines.length / 2;
  const itemsNow = (): string[] => {
    if (sections.length === 0) sections.push({ section: null, items: [] });
    return sections.at(-1)!.items;
  };
  lines.forEach((line, index) => {
    const isBullet = BULLET.test(line.text);
    const text = priced(line).name.replace(BULLET, '').trim();
    const next = lines[index + 1];
    if (text === '' || RAISED.test(text)) return;
    // Two headings in a row: the first is an item in capitals.
    if (!isBullet && isHeading(line) && next && !isHeading(next)) {
      if (!CONTINUED.test(text)) sections.push({ section: text, items: [] });
    } else if (bulleted && !isBullet && itemsNow().length > 0 && !ALONE.test(text)) {
      const items = itemsNow();
      items.push(`${items.pop()} ${text}`);
    } else itemsNow().push(text);
  });
  return sections.filter((section) => section.items.length > 0);
}

/** Trademark symbols in small raised type, extracted as separate lines. */
const RAISED = /^(?:TM|SM|®|™|©)$/;

/** Printed under the list without a bullet, but not part of the line above. */
const ALONE = /^Full Tank of/i;

/** Section headings are in capitals, without digits or punctuation at the end. */
export function isCapitals(line: Line): boolean {
  const text = line.text.replace(CONTINUED, '');
  return /^[A-Z][A-Z &/,'-]{3,}:?$/.test(text) || /^Additional Standard Features$/i.test(text);
}
