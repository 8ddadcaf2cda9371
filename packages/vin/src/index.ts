/** For Node, Deno and Bun; `browser.ts` is for browsers and workers. */
import { loadBundled } from './load.ts';
import { asOpen, type OpenVpic } from './open.ts';

export * from './core.ts';
export { bundledMonth, loadBundled, loadVpic } from './load.ts';

/** The same API as in a browser, for code that runs in both. Here all data is loaded at once. */
export async function openVpic(): Promise<OpenVpic> {
  const decoder = loadBundled();
  return asOpen(decoder.month, async () => decoder);
}
