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
