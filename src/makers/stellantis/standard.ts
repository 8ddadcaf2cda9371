import type { Label } from '../../reading/types.ts';
import { indexOf, until } from '../../reading/find.ts';
import type { Line } from '../../reading/lines.ts';
import type { Flow } from './flow.ts';
import { withoutHeadings } from './options.ts';
import { DESTINATION, OPTIONS, STANDARD, TOTAL } from './words.ts';

const END = new RegExp(`${OPTIONS.source}|${DESTINATION.source}|${TOTAL.source}`, 'i');
/** Names of sections, wherever their headings are. */
const SECTION = /\bFEATURES$|^(?:CARACT[ÉE]RISTIQUES|COMMODIT[ÉE]S)\b/;
/** Section headings are in capitals and indented by about 4 em from their items. */
const MIN_INDENT_EM = 2;

export function readStandard({ lines, margins }: Flow): Label['standard'] {
  const at = indexOf(lines, STANDARD);
  const heading = lines[at];
  if (!heading) return [];
  const sections: Label['standard'] = [];
  const block = withoutHeadings(heading, until(lines, at + 1, END)).filter(
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

function isSection(line: Line, [left, right]: Flow['margins']): boolean {
  if (line.text !== line.text.toUpperCase()) return false;
  if (SECTION.test(line.text)) return true;
  return line.positioned && line.x - (line.x < right - line.size ? left : right) > MIN_INDENT_EM * line.size;
}
