import type { Hono } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { clientsOfPages } from '../http/page-limit.ts';
import type { Library } from '../site/docs/library.ts';
import type { HeaderSets } from '../http/headers.ts';
import type { Log } from '../lib/log.ts';
import type { Lookup } from '../lookup/find.ts';
import type { Specimen } from '../lookup/specimens/index.ts';
import type { StatusBoard } from '../site/status/board.ts';
import type { Store } from '../store/store.ts';

/** What the pages are given. */
export interface PageParts {
  lookup: Lookup;
  store: Store;
  specimens: readonly Specimen[];
  baseUrl: string;
  /** Release month of the vPIC data, `2026-10`. */
  month: string;
  /** What the pages say, by path. */
  library: Library;
  board: StatusBoard;
  /** The decoder for browsers. */
  vinAssets: VinAssets;
  /** Where readers' reports go by e-mail; null when the operator has configured no mailbox. */
  reportTo: string | null;
  headerSets: HeaderSets;
  log: Log;
  now(): number;
}

/** The decoder for browsers: the modules of `@monroney/vin` and its data in pieces, under a path that names both. */
export interface VinAssets {
  /** The module to import; the pieces are beside it. */
  module: string;
  register(app: Hono<PageEnv>): void;
}

export interface PageEnv {
  Bindings: HttpBindings;
}

/** Who asks, for limits and fair queues. */
export function clientOf(c: Context<PageEnv>): string | undefined {
  return clientsOfPages.get(c.env.incoming);
}
