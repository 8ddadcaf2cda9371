/** Bytes as text for JavaScript modules: 13 bits in two printable characters, so a quarter longer. Base64 is a third longer. */

/** Printable characters that a string in a script may contain as they are: not the quote, the backslash and `<`. */
const CHARACTERS = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(
  (character) => !'"\\<'.includes(character),
);
const BASE = CHARACTERS.length;

export function textOf(bytes: Uint8Array): string {
  let text = '';
  let [buffer, bits] = [0, 0];
  const write = (): void => {
    const value = buffer & 0x1fff;
    text += CHARACTERS[value % BASE]! + CHARACTERS[Math.floor(value / BASE)]!;
    buffer >>>= 13;
    bits -= 13;
  };
  for (const byte of bytes) {
    buffer |= byte << bits;
    bits += 8;
    if (bits >= 13) write();
  }
  if (bits > 0) write();
  return text;
}

const VALUES = new Uint8Array(128);
CHARACTERS.forEach((character, value) => (VALUES[character.charCodeAt(0)] = value));

/** The first `length` bytes of what `textOf` wrote. */
export function bytesOf(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let [buffer, bits, at] = [0, 0, 0];
  for (let index = 0; at < length; index += 2) {
    buffer |= (VALUES[text.charCodeAt(index)]! + BASE * VALUES[text.charCodeAt(index + 1)]!) << bits;
    for (bits += 13; bits >= 8 && at < length; bits -= 8) {
      bytes[at++] = buffer;
      buffer >>>= 8;
    }
  }
  return bytes;
}
