import { openLibrary, type Library } from '../docs/library.ts';
import type { ApiDocument } from '../docs/operations.ts';
import type { Document } from '../../http/response.ts';
import { apiDocuments } from '../openapi/api-documents.ts';
import type { Policy } from '../../http/limit.ts';
import type { Lookup } from '../../lookup/lookup.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';
import { openStatusBoard, type StatusBoard } from '../status/board.ts';
import type { Store } from '../../store/store.ts';
import { discoveryDocuments } from './documents.ts';

/** Everything that describes the service: documents for programs, documentation pages and the status. */
export interface Discovery {
  documents: ReadonlyMap<string, () => MaybePromise<Document>>;
  library: Library;
  board: StatusBoard;
}

export function openDiscovery(dependencies: {
  baseUrl: string;
  month: string;
  lookup: Lookup;
  store: Store;
  specimens: readonly Specimen[];
  /** Path templates of the pages in the sitemap. */
  sitemap: readonly string[];
  securityContact: string | null;
  limit: Policy | null;
  now(): number;
}): Discovery {
  const described = apiDocuments(dependencies);
  const board = openStatusBoard(dependencies);
  const openapi = async () =>
    JSON.parse(String((await described.get('/openapi.json')!()).body)) as ApiDocument;
  const library = openLibrary({ ...dependencies, board, openapi });
  const documents = new Map([...described, ...discoveryDocuments({ ...dependencies, library, board })]);
  return { documents, library, board };
}
