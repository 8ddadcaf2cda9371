import type { LabelText } from './types.ts';

/** Increase it when extraction changes, so that stored texts are extracted again. */
export const TEXT_VERSION = 4;

const lineHeight = 12;

/**
 * Recorded plain text as a label's text: a line is an item, a form feed begins a page. Positions only keep
 * the lines apart and in order; `positioned` is false, because they mean nothing more.
 */
export function plainText(text: string): LabelText {
  const pages = text
    .replace(/^\ufeff/, '')
    .replace(/(?<!\f)\f+$/, '')
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
      }));
      return { width: 1224, height: Math.max(792, (lines.length + 1) * lineHeight), items };
    });
  return { version: TEXT_VERSION, positioned: false, pages };
}

// Printable Latin-1 without the soft hyphen. Nearly all text matches and needs no cleaning.
const plain = /^[\x20-\x7e\xa1-\xac\xae-\xff]*$/;
const blank = /[\p{Z}\t\n\v\f\r\u0085\u2800]/gu;
// Controls, bidi and zero-width marks, private use, halves of surrogate pairs, unassigned, variation selectors, fillers.
const unprintable = /[\p{C}\p{Default_Ignorable_Code_Point}\ufffd]/gu;

/**
 * Removes characters that aren't printable. All text from PDFs passes through here, so that a label can't reverse or
 * hide text in a response, page or log. Printable text isn't changed.
 */
export function clean(text: string): string {
  if (plain.test(text)) return text;
  // PDFs draw a soft hyphen as a hyphen.
  return text.replaceAll('\u00ad', '-').replace(blank, ' ').replace(unprintable, '');
}
