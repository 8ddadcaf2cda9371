import { plainText } from '@monroney/label/reading/lines';
import { readText } from '@monroney/label/read-text';
import { extractText } from '@monroney/label/pdf/text';
import type { Label, Reading } from '@monroney/label/reading/types';
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
