import type { Label } from '../../reading/types.ts';
import type { Line } from '../../reading/lines.ts';

const BULLET = /^[•·]\s*/;
const END = /^(?:MANUFACTURER.S SUGGESTED|STANDARD VEHICLE|OPTIONS (?:&|ET|INSTALLED)|PERSONAL SELECTIONS)/i;
const SECTION =
  /^(?:OWNER BENEFITS|PERFORMANCE(?: & MECHANICAL)?|MECHANICAL|LUXURY & CONVENIENCE|SAFETY & SECURITY|INTERIOR|EXTERIOR|CONNECTIVITY & TECHNOLOGY|ENTERTAINMENT|CAPABILITY|TECHNOLOGY)$/;
/** Section headings keep their size while the items under them shrink from 10 points until all fit; explanations are smaller still. */
const TYPE = { small: 7.25, heading: 10.5 };

/** Standard equipment by section. A line without a bullet continues the item above, whatever its indent. */
export function readStandard(block: Line[], unit = 1): Label['standard'] {
  const sections: Label['standard'] = [];
  for (const line of block.slice(1)) {
    if (END.test(line.text)) break;
    if (line.positioned ? line.size < TYPE.small * unit : /^(?:ITEMS FEATURED|THE STANDARD)/.test(line.text))
      continue;
    const bullet = BULLET.test(line.text);
    const text = line.text.replace(BULLET, '');
    const heading = line.positioned ? line.size > TYPE.heading * unit : SECTION.test(text);
    const section = sections.at(-1);
    if (heading && !bullet) sections.push({ section: text, items: [] });
    else if (!section) sections.push({ section: null, items: [text] });
    else if (bullet || section.items.length === 0) section.items.push(text);
    else section.items.push(`${section.items.pop()} ${text}`);
  }
  return sections;
}
