/** Escapes text for XML as pure ASCII, so that the encoding doesn't matter. */
export function xml(text: string): string {
  return [...text].map((character) => NAMED[character] ?? reference(character)).join('');
}

const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function reference(character: string): string {
  const code = character.codePointAt(0)!;
  if (code >= 0x20 && code <= 0x7e) return character;
  // XML can't represent most control characters.
  return code < 0x20 && !'\t\n\r'.includes(character) ? '' : `&#${code};`;
}
