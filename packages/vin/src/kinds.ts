import { CHECKED_PLACES, MORE, PAIR_MASK, TEST_SHIFT } from './layout.ts';
import { linkSchemaOf, type Release } from './reader.ts';

/** The serial number begins here or one or two further, counted from 0. */
const SERIAL = 11;
const SERIAL_PLACES = CHECKED_PLACES.reduce(
  (bits, place, at) => (place < SERIAL ? bits : bits | (1 << at)),
  0,
);

/** Tells of a manufacturer whether anything past position 11 has a say in the decode of its VINs. */
export function serialMatters(release: Release): (wmi: number) => boolean {
  const UNKNOWN = 0;
  const [no, yes] = [1, 2];
  const ofSchema = new Uint8Array(release.schemaFrom.length);
  const ofWmi = new Uint8Array(release.wmiType.length);

  /** A pattern asks for such a character, or prints it. */
  function isRead(schema: number): boolean {
    const { trie, testPlace, schemaFrom, formulaFrom } = release;
    for (let at = schemaFrom[schema]!; at < schemaFrom[schema + 1]!; at++) {
      const word = trie[at]!;
      if (word >= 0) {
        if (testPlace[word >> TEST_SHIFT]! >= SERIAL) return true;
        continue;
      }
      if ((word & PAIR_MASK) >= formulaFrom) return true;
      if ((word & MORE) !== 0) at++;
    }
    return false;
  }

  function anyIsRead(wmi: number): boolean {
    const { linkFromWmi, links, wmiNames } = release;
    if ((wmiNames[wmi]! & SERIAL_PLACES) !== 0) return true;
    for (let link = linkFromWmi[wmi]!; link < linkFromWmi[wmi + 1]!; link++) {
      const schema = linkSchemaOf(links[link]!);
      if (ofSchema[schema] === UNKNOWN) ofSchema[schema] = isRead(schema) ? yes : no;
      if (ofSchema[schema] === yes) return true;
    }
    return false;
  }

  return (wmi) => {
    if (ofWmi[wmi] === UNKNOWN) ofWmi[wmi] = anyIsRead(wmi) ? yes : no;
    return ofWmi[wmi] === yes;
  };
}
