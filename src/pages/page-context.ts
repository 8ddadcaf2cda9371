import type { FastifyRequest } from 'fastify';
import { parameters, withoutBrokenEscapes } from '../http/request.ts';
import type { Answer } from '../http/problems.ts';
import type { MemoryCache } from '../lib/memory-cache.ts';
import type { Library } from '../site/docs/library.ts';
import type { Lookup } from '../lookup/find.ts';
import type { Specimen } from '../lookup/specimens/index.ts';
import type { StatusBoard } from '../site/status/board.ts';
import type { Store } from '../store/store.ts';
import type { Asset } from './assets.ts';

/** What the pages depend on. */
export interface PageContext {
  lookup: Lookup;
  store: Store;
  memory: MemoryCache;
  specimens: readonly Specimen[];
  baseUrl: string;
  /** Release month of the vPIC data, `2026-10`. */
  month: string;
  /** The documentation pages, by path. */
  library: Library;
  board: StatusBoard;
  vinAssets: VinAssets;
  /** The operator's `mailto:` or `https:` URL; null if none is configured. */
  contact: string | null;
  now(): number;
}

/** The data of the decoder for browsers, in pieces. Their paths contain hashes. */
export interface VinAssets {
  /** The folder of the pieces. */
  readonly base: string;
  /** The file of a path; null if there is none. */
  find(path: string): Promise<Asset | null>;
}

export type PageHandler = (request: FastifyRequest) => Promise<Answer>;

/** A segment of the path, decoded as far as its encoding is valid. */
export function paramOf({ params }: FastifyRequest, name: string): string {
  return decodeURIComponent(withoutBrokenEscapes((params as Record<string, string>)[name] ?? ''));
}

/** A query parameter; the first one, if it was sent several times. */
export function queryOf(request: FastifyRequest, name: string): string | undefined {
  return queriesOf(request, name)[0];
}

export function queriesOf({ queryText }: FastifyRequest, name: string): string[] {
  return parameters(withoutBrokenEscapes(queryText), name).map((value) => value ?? '');
}

/** The query with its question mark, for a redirect; empty if there is none. */
export const queryTextOf = ({ queryText }: FastifyRequest): string =>
  queryText === '' ? '' : `?${queryText}`;
