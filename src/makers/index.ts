import { titleCase } from '../lib/words.ts';
import type { Source } from './maker.ts';

/**
 * Everyone who publishes labels, in the order a person reads them. This is the only list: a maker is its folder and
 * its line here, which is why the line imports the folder too.
 */
export const sources: readonly Source[] = [
  (await import('./ford/source.ts')).ford,
  (await import('./gm/source.ts')).gm,
  (await import('./stellantis/source.ts')).stellantis,
  (await import('./subaru/source.ts')).subaru,
  (await import('./kia/source.ts')).kia,
  (await import('./hyundai/source.ts')).hyundai,
  (await import('./genesis/source.ts')).genesis,
  (await import('./toyota/source.ts')).toyota,
  (await import('./nissan/source.ts')).nissan,
];

/** The makes of some sources as a person writes them. */
export function makesOf(list: readonly Pick<Source, 'makes'>[] = sources): string[] {
  return list.flatMap(({ makes }) => makes.map(titleCase));
}

/** For texts: what a reader wants to know about all makes at once. */
export const makeCount = makesOf().length;
export const thirdPartyMakes = makesOf(sources.filter(({ thirdParty }) => thirdParty));
export const pictureMakes = makesOf(sources.filter(({ picture }) => picture));

/** The source that publishes a make's labels; null where nobody does. `make` as vPIC prints it. */
export function sourceForMake(make: string | null, list: readonly Source[] = sources): Source | null {
  const wanted = make?.toUpperCase();
  return list.find((source) => wanted !== undefined && source.makes.includes(wanted)) ?? null;
}

/** The sources to ask for one car, the likeliest first; empty where the make publishes no labels. */
export function sourcesFor(vin: string, make: string | null, list: readonly Source[] = sources): Source[] {
  const first = sourceForMake(make, list);
  if (!first) return [];
  const { sharedPlant } = first;
  if (!sharedPlant || !vin.startsWith(sharedPlant.start)) return [first];
  return [first, ...list.filter(({ id }) => id === sharedPlant.with)];
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
