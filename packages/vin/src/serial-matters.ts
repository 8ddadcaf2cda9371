import { CHECKED_INDEXES, MORE, PAIR_MASK, TEST_SHIFT } from './layout.ts';
import { linkSchemaOf, type Release } from './reader.ts';

/** Index at which serial numbers may begin. */
const SERIAL = 11;
const SERIAL_BITS = CHECKED_INDEXES.reduce(
  (bits, vinIndex, index) => (vinIndex < SERIAL ? bits : bits | (1 << index)),
  0,
);

/** Returns whether the decode of a manufacturer's VINs depends on anything after position 11. */
export function serialMatters(release: Release): (wmi: number) => boolean {
  const UNKNOWN = 0;
  const [no, yes] = [1, 2];
  const ofSchema = new Uint8Array(release.schemaFrom.length);
  const ofWmi = new Uint8Array(release.wmiType.length);

  /** Whether a pattern tests or prints such a character. */
  function isRead(schema: number): boolean {
    const { trie, testPlace, schemaFrom, formulaFrom } = release;
    for (let index = schemaFrom[schema]!; index < schemaFrom[schema + 1]!; index++) {
      const word = trie[index]!;
      if (word >= 0) {
        if (testPlace[word >> TEST_SHIFT]! >= SERIAL) return true;
        continue;
      }
      if ((word & PAIR_MASK) >= formulaFrom) return true;
      if ((word & MORE) !== 0) index++;
    }
    return false;
  }

  function anyIsRead(wmi: number): boolean {
    const { linkFromWmi, links, wmiPositions } = release;
    if ((wmiPositions(wmi) & SERIAL_BITS) !== 0) return true;
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
