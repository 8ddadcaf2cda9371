import type { Label } from './types.ts';
import { indexOf } from './find.ts';
import type { Sheet } from './reader.ts';

const CONTENT = /U\.S\.\s*\/\s*CANADIAN PARTS CONTENT:?/i;

/** The parts content box that US law asks for: its percentage and where engine and transmission come from. */
export function partsOf(sheet: Sheet): Label['parts'] {
  const from = indexOf(sheet.lines, CONTENT);
  if (from < 0) return null;
  const box = sheet.lines.slice(from, from + 24);
  const origin = (word: string): string | null => {
    const line = box.find(({ text }) => text.toUpperCase().startsWith(`${word}:`));
    return line?.text.slice(word.length + 1).trim() || null;
  };
  const percent = /CONTENT:?\s*(\d{1,3})\s*%/i.exec(`${box[0]!.text} ${box[1]?.text ?? ''}`);
  return {
    usCanadian: percent ? Number(percent[1]) : null,
    engine: origin('ENGINE'),
    transmission: origin('TRANSMISSION'),
  };
}
