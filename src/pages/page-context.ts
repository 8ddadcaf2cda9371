import type { Hono, Context } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import { clientsOfPages } from '../http/page-limit.ts';
import type { Library } from '../site/docs/library.ts';
import type { HeaderSets } from '../http/headers.ts';
import type { Log } from '../lib/log.ts';
import type { Lookup } from '../lookup/lookup.ts';
import type { Specimen } from '../lookup/specimens/index.ts';
import type { StatusBoard } from '../site/status/board.ts';
import type { Store } from '../store/store.ts';

/** What the pages depend on. */
export interface PageContext {
  lookup: Lookup;
  store: Store;
  specimens: readonly Specimen[];
  baseUrl: string;
  /** Release month of the vPIC data, `2026-10`. */
  month: string;
  /** The documentation pages, by path. */
  library: Library;
  board: StatusBoard;
  /** The decoder for browsers. */
  vinAssets: VinAssets;
  /** E-mail address for readers' reports; null if the operator has configured none. */
  reportTo: string | null;
  headerSets: HeaderSets;
  log: Log;
  now(): number;
}

/**
 * The decoder for browsers: the modules of `@monroney/vin`, its data in pieces and `names.js`, which names a car. Their path
 * contains a hash of them.
 */
export interface VinAssets {
  /** Path of the module to import. The pieces are in the same folder. */
  module: string;
  register(app: Hono<PageEnv>): void;
}

export interface PageEnv {
  Bindings: HttpBindings;
}

/** Identifies the client, for rate limits and fair queues. */
export function clientOf(c: Context<PageEnv>): string | undefined {
  return clientsOfPages.get(c.env.incoming);
}
