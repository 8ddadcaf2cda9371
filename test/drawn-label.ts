import { plainText } from '../src/reading/extracted-text.ts';
import { readText } from '../src/makers/read.ts';
import { extractText } from '../src/pdf/text.ts';
import type { Label, Reading } from '../src/reading/types.ts';
import { drawLabel, type LabelOptions } from '../tools/specimens/draw.ts';

/** Reads a label that we draw, including text positions. */
export async function readDrawn(order: LabelOptions): Promise<Reading & { label: Label }> {
  const reading = readText(await extractText(drawLabel(order)), { make: order.make });
  if (!reading.label) throw new Error(`Not read: ${reading.reason}`);
  return { ...reading, label: reading.label };
}

/** Reads text without positions. */
export function readWords(make: string, lines: readonly string[]): Reading {
  return readText(plainText(lines.join('\n')), { make });
}
