import { CHECKED_INDEXES } from '../../packages/vin/src/layout.ts';
import type { SelectedPatterns } from './pattern-words.ts';
import type { KeyTests } from './sets.ts';
import type { Patterns } from './tables.ts';
import { numberTests, trie } from './tries.ts';

/** For each schema and checked position, the characters its keys name, including private and unchecked patterns. */
function validCharacters(patterns: Patterns, tests: KeyTests, schemas: Map<number, number>): BigUint64Array {
  const valid = new BigUint64Array(schemas.size * CHECKED_INDEXES.length);
  for (let p = 0; p < patterns.count; p++) {
    const schema = schemas.get(patterns.schema[p]!);
    if (schema === undefined) continue;
    const key = tests.keys[patterns.key[p]!]!;
    CHECKED_INDEXES.forEach((vinIndex, index) => {
      const set = key.valid[vinIndex - 3];
      if (set) valid[schema * CHECKED_INDEXES.length + index]! |= set;
    });
  }
  return valid;
}

/** Each schema's trie, its tests, and the characters valid at each position. */
export function schemaSections(
  patterns: Patterns,
  kept: SelectedPatterns,
  tests: KeyTests,
  schemas: Map<number, number>,
  words: (pattern: number) => number[],
) {
  const { sets } = tests;
  const testsOf = patterns.keys.map((_, key) => tests.tests(key));
  const perSchema: number[][] = Array.from({ length: schemas.size }, () => []);
  const used = new Set<number>();
  for (const p of kept.kept) {
    for (const test of testsOf[patterns.key[p]!]!) used.add(test);
    perSchema[kept.schemaOf[p]!]!.push(p);
  }
  const testNumbers = numberTests(used);
  const tries = perSchema.map((schemaPatterns) =>
    trie(
      schemaPatterns.map((p) => ({ tests: testsOf[patterns.key[p]!]!, words: words(p) })),
      testNumbers,
    ),
  );
  const valid = Array.from(validCharacters(patterns, tests, schemas), (set) => (set ? sets.id(set) : 0));
  const usedTests = [...testNumbers.keys()];
  return {
    testPlace: usedTests.map((test) => Math.floor(test / 65536) + 3),
    testLo: usedTests.map((test) => sets.lo[test % 65536]!),
    testHi: usedTests.map((test) => sets.hi[test % 65536]!),
    trie: tries.flat(),
    schemaSize: tries.map((schemaPatterns) => schemaPatterns.length),
    schemaValid: valid,
    setLo: sets.lo,
    setHi: sets.hi,
  };
}
