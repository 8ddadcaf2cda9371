/** Loads each maker's simulator replies and drawings. A maker may have neither. */
import { existsSync } from 'node:fs';
import { sources } from '../src/makers/index.ts';
import type { Source } from '../src/makers/maker.ts';
import type { Drawing } from './specimens/drawing.ts';
import { json, page, pdf, type Replies } from './simulator/reply.ts';

async function loadFromMakers<T>(name: string, folder: string): Promise<Map<string, T>> {
  const loaded = new Map<string, T>();
  for (const { id } of sources) {
    const url = new URL(`./${folder}/makers/${id}.ts`, import.meta.url);
    if (!existsSync(url)) continue;
    const module = (await import(url.href)) as Record<string, T>;
    if (!module[name]) throw new Error(`tools/${folder}/makers/${id}.ts exports no "${name}"`);
    loaded.set(id, module[name]);
  }
  return loaded;
}

const replies = await loadFromMakers<Replies>('replies', 'simulator');

/** By source id. */
export const drawings: ReadonlyMap<string, Drawing> = await loadFromMakers<Drawing>('drawing', 'specimens');

export function repliesOf(source: Source): Replies {
  return replies.get(source.id) ?? defaultReplies(source);
}

/** A "none" response as the source's description defines it. */
function defaultReplies({ empty, notFound }: Source): Replies {
  if (empty === 'none') return { none: () => pdf(Buffer.alloc(0)), truth: { none: 'none:empty' } };
  if (notFound === 'none')
    return {
      none: () => page('404', 'Nothing here.', 404),
      truth: { none: 'none:not-found', 'not-found-page': 'none:not-found' },
    };
  return { none: ({ vin }) => json({ message: `No label of ${vin}` }), truth: { none: 'none:says-none' } };
}
