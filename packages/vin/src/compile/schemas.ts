import { CHECKED_INDEXES } from '../layout.ts';
import type { SelectedPatterns } from './pattern-words.ts';
import type { KeyTests } from './sets.ts';
import { integers } from './column.ts';
import type { Patterns } from './tables.ts';
import { numberTests, trie } from './tries.ts';

/** For each schema and checked position, the characters its keys name, including private and unchecked patterns. */
function validCharacters(patterns: Patterns, tests: KeyTests, schemas: Map<number, number>): BigUint64Array {
  const valid = new BigUint64Array(schemas.size * CHECKED_INDEXES.length);
  for (let p = 0; p < patterns.count; p++) {
    const schema = schemas.get(patterns.schema[p]!);
    if (schema === undefined) continue;
    for (let index = 0; index < CHECKED_INDEXES.length; index++)
      valid[schema * CHECKED_INDEXES.length + index]! |= tests.valid(patterns.key[p]!, index);
  }
  return valid;
}

/** The kept patterns of each schema. */
function* bySchema({ kept, schemaOf }: SelectedPatterns, schemas: number): Generator<Int32Array> {
  const ends = new Int32Array(schemas);
  for (const p of kept) ends[schemaOf[p]!]!++;
  for (let schema = 1; schema < schemas; schema++) ends[schema]! += ends[schema - 1]!;
  const starts = Int32Array.from(ends, (_, schema) => ends[schema - 1] ?? 0);
  const sorted = new Int32Array(kept.length);
  const next = starts.slice();
  for (const p of kept) sorted[next[schemaOf[p]!]!++] = p;
  for (let schema = 0; schema < schemas; schema++) yield sorted.subarray(starts[schema], ends[schema]);
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
  const used = new Set<number>();
  for (const p of kept.kept) for (const test of testsOf[patterns.key[p]!]!) used.add(test);
  const testNumbers = numberTests(used);
  const tries = integers();
  const sizes: number[] = [];
  for (const schemaPatterns of bySchema(kept, schemas.size)) {
    const entries = Array.from(schemaPatterns, (p) => ({
      tests: testsOf[patterns.key[p]!]!,
      words: words(p),
    }));
    const built = trie(entries, testNumbers);
    sizes.push(built.length);
    for (const word of built) tries.push(word);
  }
  const valid = Array.from(validCharacters(patterns, tests, schemas), (set) => (set ? sets.id(set) : 0));
  const usedTests = [...testNumbers.keys()];
  return {
    testPlace: usedTests.map((test) => Math.floor(test / 65536) + 3),
    testLo: usedTests.map((test) => sets.lo[test % 65536]!),
    testHi: usedTests.map((test) => sets.hi[test % 65536]!),
    trie: tries.take(),
    schemaSize: sizes,
    schemaValid: valid,
    setLo: sets.lo,
    setHi: sets.hi,
  };
}
