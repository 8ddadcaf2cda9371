import type { VpicData } from './data-file.ts';
import { MORE } from './layout.ts';
import { startIndexes } from './start-indexes.ts';

const MODEL = 28;
const ENGINE_MODEL = 18;

const utf8 = new TextDecoder();
export const linesOf = (bytes: Uint8Array): string[] => utf8.decode(bytes).split('\n');

/** A release, prepared for splitting into parts. */
export type PartSource = ReturnType<typeof partSource>;

export function partSource(data: VpicData) {
  const n = data.numbers;
  const plainCount = n.pairFold.length;
  const firstPair = (id: number): number => n.pairSlot.indexOf(n.elementId.indexOf(id));
  const slotCounts = new Map<number, number>();
  for (let pair = 0; pair < plainCount; pair++)
    slotCounts.set(n.pairSlot[pair]!, (slotCounts.get(n.pairSlot[pair]!) ?? 0) + 1);
  const conversions = Array.from(n.conversionFrom, (slot) => ({
    slot,
    first: n.pairSlot.indexOf(slot),
    count: slotCounts.get(slot) ?? 0,
  }));
  const firstModel = firstPair(MODEL);
  const firstEngine = firstPair(ENGINE_MODEL);
  const schemaFrom = startIndexes(n.schemaSize);

  /** Calls `visit` for every test of a schema, and for every pattern, which is below zero. */
  function walkSchema(schema: number, visit: (word: number) => void): void {
    for (let index = schemaFrom[schema]!; index < schemaFrom[schema + 1]!; index++) {
      const word = n.trie[index]!;
      visit(word);
      if (word < 0 && (word & MORE) !== 0) index++;
    }
  }
  /** Calls `visit` with the index of every pair of a vehicle spec, and returns where it ends. */
  function walkSpec(start: number, visit: (index: number) => void): number {
    let index = start + 5;
    for (let pattern = n.spec[start + 4]!; pattern > 0; pattern--) {
      const keys = n.spec[index]! >> 16;
      const rows = n.spec[index]! & 0xffff;
      const end = index + 1 + keys + rows;
      while (++index < end) visit(index);
    }
    return index;
  }

  return {
    data,
    plainCount,
    firstModel,
    firstEngine,
    allWmis: linesOf(data.bytes.wmis),
    allExceptions: linesOf(data.bytes.exceptions),
    linkFrom: startIndexes(n.wmiLinkCount),
    makeFrom: startIndexes(n.wmiMakeCount),
    engineFrom: startIndexes(n.engineSize),
    modelSpecFrom: startIndexes(n.modelSpecCount),
    conversions,
    convertedFrom: startIndexes(conversions.map(({ count }) => count)),
    walkSchema,
    walkSpec,
    isModel: (pair: number): boolean =>
      pair >= firstModel && pair < firstModel + n.modelMake.length && pair < plainCount,
    isEngine: (pair: number): boolean => pair >= firstEngine && pair < firstEngine + n.engineOf.length,
  };
}
