import { joinWithAnd, titleCase } from '@monroney/label/lib/words';
import { ORIGINS, STICKER_KINDS, type Source } from './maker.ts';

// Every source, in the order in which pages list them. Nothing else lists sources.
const makers = await Promise.all([
  import('./ford/source.ts'),
  import('./gm/source.ts'),
  import('./stellantis/source.ts'),
  import('./subaru/source.ts'),
  import('./kia/source.ts'),
  import('./hyundai/source.ts'),
  import('./genesis/source.ts'),
  import('./toyota/source.ts'),
  import('./nissan/source.ts'),
]);

export const sources: readonly Source[] = makers.map(({ source }) => source);

/** The makes of these sources in title case. */
export function makesOf(list: readonly Pick<Source, 'makes'>[] = sources): string[] {
  return list.flatMap(({ makes }) => makes.map(titleCase));
}

export const makeCount = makesOf().length;
export const pictureMakes = makesOf(sources.filter(({ picture }) => picture));

/** Which makes' stickers come through dealers, whose files they are and what that means; empty if none do. */
export function viaDealersText(list: readonly Pick<Source, 'kind' | 'makes'>[] = sources): string {
  const sentences = STICKER_KINDS.flatMap((kind) => {
    const makes = makesOf(list.filter((source) => source.kind === kind));
    return ORIGINS[kind] && makes.length > 0
      ? [`The stickers of ${joinWithAnd(makes)} are ${ORIGINS[kind]}.`]
      : [];
  });
  return sentences.length > 0 ? [...sentences, 'These could stop without notice.'].join(' ') : '';
}
