import { isUnder, titleLine } from './find.ts';
import type { Line } from './lines.ts';
import { recordPlace } from './reader.ts';
import type { Label } from './types.ts';

/** Year and model from the title, which may continue in one or two lines of capitals below it. */
export function readTitle(label: Label, lines: Line[]): void {
  const first = titleLine(lines);
  if (!first) return;
  const index = lines.indexOf(first);
  const title = [first];
  const candidates = first.positioned ? lines : lines.slice(index + 1, index + 3);
  for (let count = 0; count < 2; count++) {
    const last = title.at(-1)!;
    const next = candidates.find((line) => !title.includes(line) && continues(last, line));
    if (!next || (!next.positioned && candidates.indexOf(next) !== count)) break;
    title.push(next);
  }
  label.model = title.map(({ text }) => text).join(' ');
  label.year = Number(first.text.slice(0, 4));
  recordPlace(label, 'model', ...title);
}

/** True if `next` is a line of the same title, and not a fact or heading. */
function continues(line: Line, next: Line): boolean {
  if (!/^[A-Z0-9][A-Z0-9 ./-]*$/.test(next.text) || /FEATURES|EXPERIENCE|GOVERNMENT|^VIN\b/.test(next.text))
    return false;
  if (!next.positioned) return true;
  return (
    isUnder(next, line) &&
    Math.abs(next.size - line.size) < 0.1 * line.size &&
    next.y - line.y < 2 * line.size
  );
}
