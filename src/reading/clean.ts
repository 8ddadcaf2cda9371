// Printable Latin-1 without the soft hyphen: nearly every run of text, and nothing to clean in it.
const plain = /^[\x20-\x7e\xa1-\xac\xae-\xff]*$/;
const blank = /[\p{Z}\t\n\v\f\r\u0085\u2800]/gu;
// Controls, bidi and zero-width marks, private use, halves of surrogate pairs, unassigned, variation selectors, fillers.
const unprintable = /[\p{C}\p{Default_Ignorable_Code_Point}\ufffd]/gu;

/**
 * A label's text without anything that a printer would not print: every string that leaves a PDF goes through here,
 * so that no answer, page or log can be turned round or hidden by a label. What is printed stays as it is printed.
 */
export function clean(text: string): string {
  if (plain.test(text)) return text;
  // A soft hyphen that a PDF draws is a hyphen on paper.
  return text.replaceAll('\u00ad', '-').replace(blank, ' ').replace(unprintable, '');
}
