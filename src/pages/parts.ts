import type { HttpBindings } from '@hono/node-server';
import type { HeaderSets } from '../http/headers.ts';
import type { Log } from '../log.ts';
import type { Lookup } from '../lookup.ts';
import type { Specimen } from '../specimens/index.ts';
import type { Store } from '../store/store.ts';

/** What the pages are given. */
export interface PageParts {
  lookup: Lookup;
  store: Store;
  specimens: readonly Specimen[];
  baseUrl: string;
  /** Release month of the vPIC data, `2026-10`. */
  month: string;
  sets: HeaderSets;
  log: Log;
  now(): number;
}

export interface PageEnv {
  Bindings: HttpBindings;
}
