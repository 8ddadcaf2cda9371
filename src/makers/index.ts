import { ford } from './ford/source.ts';
import { genesis } from './genesis/source.ts';
import { gm } from './gm/source.ts';
import { hyundai } from './hyundai/source.ts';
import { kia } from './kia/source.ts';
import { nissan } from './nissan/source.ts';
import type { Source } from './maker.ts';
import { stellantis } from './stellantis/source.ts';
import { subaru } from './subaru/source.ts';
import { toyota } from './toyota/source.ts';

/** Everyone who publishes labels, in the order a person reads them. */
export const sources: readonly Source[] = [
  ford,
  gm,
  stellantis,
  subaru,
  kia,
  hyundai,
  genesis,
  toyota,
  nissan,
];

/** The source that publishes a make's labels; null where nobody does. `make` as vPIC prints it. */
export function sourceForMake(make: string | null, list: readonly Source[] = sources): Source | null {
  const wanted = make?.toUpperCase();
  return list.find((source) => wanted !== undefined && source.makes.includes(wanted)) ?? null;
}

/** The sources to ask for one car, the likeliest first; empty where the make publishes no labels. */
export function sourcesFor(vin: string, make: string | null, list: readonly Source[] = sources): Source[] {
  const first = sourceForMake(make, list);
  if (!first) return [];
  // Hyundai's plant in Alabama builds the Genesis GV70 too, under the same first three characters: the decoded
  // make is not proof of whose label it is.
  const pair = ['hyundai', 'genesis'];
  if (!vin.startsWith('5NM') || !pair.includes(first.id)) return [first];
  return [first, ...list.filter((source) => pair.includes(source.id) && source !== first)];
}

/** The one source that publishes all these makes: whichever of them a car is, its label is there. Null where there is none. */
export function sourceOfAll(makes: readonly string[], list: readonly Source[] = sources): Source | null {
  const [first = null, ...others] = makes.map((make) => sourceForMake(make, list));
  return others.every((other) => other === first) ? first : null;
}

/** The same sources at the operator's addresses, by source id: hosts rot, and dealers' hosts fastest. */
export function withAddresses(
  addresses: Readonly<Record<string, readonly string[]>>,
  list: readonly Source[] = sources,
): Source[] {
  return list.map((source) => {
    const own = addresses[source.id];
    return own?.length ? { ...source, addresses: own } : source;
  });
}
