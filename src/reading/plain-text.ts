import { clean } from './clean.ts';
import { TEXT_VERSION } from './text-version.ts';
import type { LabelText } from './types.ts';

const lineHeight = 12;

/**
 * Recorded plain text as a label's text: a line is an item, a form feed begins a page. Positions only keep
 * the lines apart and in order; `positioned` is false, because they mean nothing more.
 */
export function plainText(text: string): LabelText {
  const pages = text
    .replace(/^\ufeff/, '')
    .replace(/\f+$/, '')
    .split('\f')
    .map((page) => {
      const lines = page.split(/\r\n|\r|\n/);
      if (lines.at(-1) === '') lines.pop();
      const items = lines.map((line, index) => ({
        text: clean(line),
        x: 0,
        y: (index + 1) * lineHeight,
        width: line.length * 5,
        size: 10,
        eol: true,
      }));
      return { width: 1224, height: Math.max(792, (lines.length + 1) * lineHeight), items };
    });
  return { version: TEXT_VERSION, positioned: false, pages };
}
