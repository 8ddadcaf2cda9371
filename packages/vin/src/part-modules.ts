import type { PackedIndex } from './parts.ts';

/** Each part as a JavaScript module, so that every bundler finds it and makes it a file of its own. */
export interface PartModules {
  index: PackedIndex;
  modules: Record<string, () => Promise<{ default: string }>>;
}

/** `npm run pack` builds the parts and writes this module's JavaScript. */
export const partModules: PartModules | null = null;
