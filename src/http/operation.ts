import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Lookup } from '../lookup/find.ts';
import type { Switches } from '../lookup/source-states.ts';
import type { Runtime } from '../runtime.ts';
import type { Store } from '../store/store.ts';
import type { ResponseCache } from './cache.ts';
import type { Drain } from './connections.ts';
import type { Answer } from './problems.ts';
import type { HeaderSets } from './response.ts';

/**
 * How a route is described. The description stands beside the route's handler, and `site/openapi` makes the OpenAPI document
 * of all of them, with what routes of a kind have in common: errors, conditional requests, the headers of the rate limit.
 * Names refer to the document's shared parameters, headers and responses.
 */
export interface Operation {
  id: string;
  tag: 'Lookup' | 'Sticker' | 'vPIC' | 'Service';
  summary: string;
  description: string;
  /** Names of shared parameters, or the parameters of this operation alone. */
  parameters?: readonly (string | JsonObject)[];
  body?: { description: string; type: string; schema: z.ZodType; example: Json };
  /** By status: the name of a shared response, or a response of this operation alone. */
  responses: Readonly<Record<number, SharedResponse | DescribedResponse>>;
}

/** The responses that operations have in common (`site/openapi/document.ts`). */
export type SharedResponse =
  | 'NotModified'
  | 'BadRequest'
  | 'NoSticker'
  | 'Withdrawn'
  | 'PreconditionFailed'
  | 'BodyTooLarge'
  | 'UnsupportedMediaType'
  | 'RangeNotSatisfiable'
  | 'TooManyRequests'
  | 'SourceUnavailable'
  | 'StoreUnavailable'
  | 'NotFound'
  | 'InternalError';

export interface DescribedResponse {
  description: string;
  headers: readonly string[];
  /** By media type. */
  content?: Readonly<Record<string, Content>>;
  /**
   * Other forms of `content`, for those who ask for them. They stand in `x-other-content`: generators of clients would make one
   * type of all that is in `content`, which nobody can use without a cast.
   */
  otherContent?: Readonly<Record<string, Content>>;
}

interface Content {
  /** A schema with a name, or the kind of a body without one. */
  schema: z.ZodType | 'binary' | 'text';
  example?: Json | ((samples: Samples) => Json);
  /** Instead of one example, the real responses for the test VINs. */
  examples?: 'lookups' | 'readings';
}

/** What examples are made of. */
export interface Samples {
  month: string;
  lookups: Examples;
  readings: Examples;
}

export type Examples = Readonly<Record<string, { summary: string; value: Json }>>;

/** A path with its operations, as in OpenAPI. */
export interface DescribedRoute {
  template: string;
  operations: Readonly<Partial<Record<'get' | 'head' | 'post', Operation>>>;
  /** Schemas of this route alone, by their names in the document. */
  schemas?: Readonly<Record<string, z.ZodType>>;
}

/**
 * A route of the API: what OpenAPI says about it and what answers it. docs/changing.md adds one.
 */
export interface ApiRoute extends DescribedRoute {
  /** By default the API's. */
  limit?: 'none';
  handle(request: FastifyRequest, context: HttpContext, res: ServerResponse): Answer | Promise<Answer>;
}

/** The methods of the lookup that the handlers use. */
export type LabelLookup = Pick<Lookup, 'decode' | 'find' | 'pdf' | 'lines' | 'reading' | 'preview'> & {
  switches: Pick<Switches, 'onWithheldChange'>;
};

/** What the API depends on. */
export interface ApiDependencies extends Pick<Runtime, 'log' | 'metrics' | 'longWork'> {
  lookup: LabelLookup;
  store: Pick<Store, 'ready' | 'onReplaced'>;
  /** The vPIC data, for NHTSA's own routes. */
  vpic: Pick<Runtime['vpic'], 'month' | 'values' | 'variables' | 'wmi' | 'makes' | 'modelsInParts' | 'lists'>;
  /** Failures of our own, for `/readyz`. */
  outages: Pick<Runtime['outages'], 'networkDownSince'>;
  pdfCacheBytes: number;
}

/** What handlers get: the dependencies, and what they share. */
export interface HttpContext extends ApiDependencies {
  baseUrl: string;
  headerSets: HeaderSets;
  cache: ResponseCache;
  drain: Pick<Drain, 'hasBegun'>;
  /** Logs a change of readiness. Null means ready; otherwise the error. */
  reportReadiness(error: string | null): void;
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const CACHE_HEADERS = ['ETag', 'Cache-Control', 'Content-Digest'];
export const LOOKUP_HEADERS = ['Content-Location', 'Preference-Applied'];

export const CONTACT_PARAMETERS = ['Contact', 'XContact'];
export const LOOKUP_PARAMETERS = ['VinInPath', ...CONTACT_PARAMETERS, 'Prefer'];
/** What the routes of a label respond without one. */
export const LABEL_FAILURES = { 404: 'NoSticker', 451: 'Withdrawn', 503: 'SourceUnavailable' } as const;
