import { MAX_TESTS, PAIR_MASK, SIZE_MASK, TEST_SHIFT } from '../layout.ts';

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
export function numberTests(used: Set<number>): Map<number, number> {
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
