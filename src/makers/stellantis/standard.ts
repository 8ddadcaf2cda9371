import type { Label } from '../../reading/types.ts';
import { indexOf, until } from '../../reading/find.ts';
import { OPTIONS } from './options.ts';
import type { Line } from '../../reading/lines.ts';

export const STANDARD =
  /^(?:STANDARD EQUIPMENT|[ÉE]QUIPEMENT (?:DE S[ÉE]RIE|STANDARD)|ACCESSOIRES (?:DE S[ÉE]RIE|STANDARD))/i;
const END = new RegExp(`${OPTIONS.source}|^(?:Destination Charge|Frais d.exp|TOTAL PRICE|PRIX TOTAL)`, 'i');

/** Section headings stand about 35 points further right than the items under them. */
const HEADING = { from: 20, to: 60 };

export function readStandard(lines: Line[]): Label['standard'] {
  const at = indexOf(lines, STANDARD);
  if (at < 0) return [];
  const margin = lines[at]!.x;
  const sections: Label['standard'] = [];
  const block = until(lines, at + 1, END).filter(isEquipment);
  const right = Math.min(...block.filter((line) => line.x > margin + 200).map((line) => line.x));
  for (const line of block) {
    const indent = line.x - (line.x < margin + 200 ? margin : right);
    const heading = indent > HEADING.from && indent < HEADING.to && line.text === line.text.toUpperCase();
    if (heading) sections.push({ section: line.text, items: [] });
    else if (sections.length > 0) sections.at(-1)!.items.push(line.text);
    else sections.push({ section: null, items: [line.text] });
  }
  return sections;
}

/** Logo fonts leave stray letters in large type between the lines. */
function isEquipment(line: Line): boolean {
  return line.text.length > 1 && line.size < 12;
}
