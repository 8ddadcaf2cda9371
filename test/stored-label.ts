import { sources } from '../src/makers/index.ts';
import { hostsOf } from '../src/makers/maker.ts';
import type { Store } from '../src/store/store.ts';
import { labelOf } from '../tools/simulator/labels.ts';
import { newVin } from './operator.ts';

/** Stores a label from a source and returns its VIN. */
export async function storeLabel(store: Store, id: string): Promise<string> {
  const source = sources.find((candidate) => candidate.id === id)!;
  const vin = newVin(id);
  const [host] = hostsOf(source) as [string];
  await store.addLabel(
    { vin, make: source.makes[0]!, source: id, host, fetched: 1, paint: null, reader: null },
    labelOf(source, host, vin),
  );
  return vin;
}
