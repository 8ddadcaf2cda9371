import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, ProblemOptions } from './problems.ts';
import { vinIn } from './request.ts';

/** What `app.serve` gets (`app.ts` has an example). */
export interface Route extends Row {
  /** What counts its requests: the API's limit, that of the pages, or nothing. */
  limit: 'api' | 'page' | 'none';
  /** Other origins may read it, so OPTIONS is answered with a preflight. */
  isCrossOrigin?: boolean;
  /** Finds the row of a path, for a template that ends in `*`. Without a row the route itself answers. */
  find?(path: string): Row | undefined;
  /** Turns a problem of this route into its response, such as an error page. */
  present?(problem: ProblemOptions, request: FastifyRequest): Answer | Promise<Answer>;
  /** The handler records the contact itself. */
  notesContact?: true;
  /** One page shows many of them, so they count toward the requests in a minute, and not toward those at once. */
  isEmbedded?: true;
}

export interface Row {
  /** As in the log and in OpenAPI: `/api/v1/vin/{vin}`. */
  template: string;
  /** By default GET and, with it, HEAD. `*` is every method. */
  methods?: readonly ('GET' | 'POST' | '*')[];
  /** The VIN in a path, as sent, for problems. */
  vinOf?(request: FastifyRequest): string | undefined;
  /** `res` tells when the client has left. */
  handle(request: FastifyRequest, res: ServerResponse): Answer | Promise<Answer>;
}

/** One step before a handler: calls `done`, or responds. */
export type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** Sends an answer, or the problem if that fails. Never rejects. */
export type Respond = (
  request: FastifyRequest,
  reply: FastifyReply,
  answering: Answer | Promise<Answer>,
) => Promise<void>;

/** The VIN that a problem of this request names. */
export const vinOf = (request: FastifyRequest): string | undefined => vinIn(request.row?.vinOf?.(request));

/** Whether a path is one of a template. */
export function isOf(template: string, path: string): boolean {
  const given = path.split('/');
  const segments = template.split('/');
  return (
    segments.length === given.length &&
    segments.every((segment, index) => segment.startsWith('{') || segment === given[index])
  );
}
