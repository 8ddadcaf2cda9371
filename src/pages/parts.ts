import type { HttpBindings } from '@hono/node-server';
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
  sets: HeaderSets;
  log: Log;
  now(): number;
}

export interface PageEnv {
  Bindings: HttpBindings;
}
