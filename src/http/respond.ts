import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../lib/log.ts';
import { problemOf } from './general-problems.ts';
import type { HeaderSets } from './headers.ts';
import { problemResponse, type Answer } from './problems.ts';
import { vinOf, type Respond } from './route.ts';
import type { Send } from './send.ts';

/** Turns answers and errors into responses: problem documents, or what the route presents instead. */
export function createRespond(options: { send: Send; headerSets: HeaderSets; baseUrl: string; log: Log }): {
  respond: Respond;
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void>;
} {
  const { send, log } = options;

  async function sendAnswer(request: FastifyRequest, reply: FastifyReply, given: Answer): Promise<void> {
    const present = 'reason' in given ? request.route?.present : undefined;
    const answer = present && 'reason' in given ? await present(given, request) : given;
    const response = 'reason' in answer ? problemResponse(options, answer, request.id) : answer;
    await send(request, reply.raw, response);
  }

  async function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    answering: Answer | Promise<Answer>,
  ): Promise<void> {
    // `send` writes the response, and Fastify must not.
    reply.hijack();
    try {
      await sendAnswer(request, reply, await answering);
    } catch (error) {
      await fail(error, request, reply);
    }
  }

  /** Sends the problem of an error, and gives up if that fails too. */
  async function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.hijack();
    try {
      await sendAnswer(request, reply, problemOf(error, log, request.id, vinOf(request)));
    } catch {
      reply.raw.destroy();
    }
  }

  return { respond, fail };
}
