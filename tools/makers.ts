import { existsSync } from 'node:fs';
import { sources } from '../src/makers/index.ts';

/** What the files of the makers in a folder export, by source id. A maker may have none. */
export async function loadFromMakers<T>(name: string, folder: string): Promise<ReadonlyMap<string, T>> {
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
