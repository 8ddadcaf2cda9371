import { CHECKED_INDEXES, MAX_TESTS, PAIR_MASK, SIZE_MASK, TEST_SHIFT } from '../layout.ts';
import type { SelectedPatterns } from './pattern-words.ts';
import type { KeyTests } from './keys.ts';
import { integers, type Patterns } from './tables.ts';

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

interface Node {
  words: number[];
  children: Map<number, Node>;
}

const emptyNode = (): Node => ({ words: [], children: new Map() });

/** Writes one trie in preorder. */
function flatten(node: Node, words: number[]): void {
  for (const word of node.words) words.push(word);
  for (const [test, child] of node.children) {
    const body: number[] = [];
    flatten(child, body);
    if (body.length > SIZE_MASK)
      throw new Error('the table pattern has a schema larger than the file can hold');
    words.push((test << TEST_SHIFT) | body.length);
    for (const word of body) words.push(word);
  }
}

interface TrieEntry {
  tests: number[];
  words: number[];
}

/** Numbers the tests that are used, by position and set. */
function numberTests(used: Set<number>): Map<number, number> {
  const sorted = [...used].sort((a, b) => a - b);
  if (sorted.length > MAX_TESTS)
    throw new Error('the table pattern has more different tests than the file can hold');
  return new Map(sorted.map((test, number) => [test, number]));
}

export function trie(entries: TrieEntry[], numbers: Map<number, number>): number[] {
  const root = emptyNode();
  const sorted = entries
    .map((entry) => ({ tests: entry.tests.map((test) => numbers.get(test)!), words: entry.words }))
    .sort((a, b) => {
      for (let i = 0; i < Math.min(a.tests.length, b.tests.length); i++) {
        if (a.tests[i] !== b.tests[i]) return a.tests[i]! - b.tests[i]!;
      }
      return (
        a.tests.length - b.tests.length ||
        (a.words[0]! & PAIR_MASK) - (b.words[0]! & PAIR_MASK) ||
        a.words[0]! - b.words[0]!
      );
    });
  for (const entry of sorted) {
    let node = root;
    for (const test of entry.tests) {
      let child = node.children.get(test);
      if (!child) node.children.set(test, (child = emptyNode()));
      node = child;
    }
    for (const word of entry.words) node.words.push(word);
  }
  const words: number[] = [];
  flatten(root, words);
  return words;
}
