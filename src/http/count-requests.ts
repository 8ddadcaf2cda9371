import type { Decision, Limiter } from '../lib/limits.ts';
import { tooManyPages, tooManyRequests } from './general-problems.ts';
import { secondsOf, type ApiLimiter } from './limit.ts';
import { vinOf, type Hook, type Respond, type Route } from './route.ts';

/** Counts a request by the limit of its route, and refuses it when that is used up. */
export function countRequests(options: {
  limiter: ApiLimiter | null;
  pageLimit: Pick<Limiter, 'take' | 'end'> | null;
  respond: Respond;
}): (route: Route) => Hook {
  const { limiter, pageLimit, respond } = options;

  const countByApi =
    ({ policy, take }: ApiLimiter): Hook =>
    (request, reply, done) => {
      const admit = (decision: Decision) => {
        request.decision = decision;
        if (decision.allowed) return done();
        void respond(request, reply, tooManyRequests(policy, secondsOf(decision), vinOf(request)));
      };
      const taken = take(request.client);
      // Without Redis there is nothing to wait for.
      if (taken instanceof Promise) taken.then(admit).catch(done);
      else admit(taken);
    };

  const countByPages =
    ({ take, end }: NonNullable<typeof pageLimit>, isEmbedded = false): Hook =>
    (request, reply, done) => {
      const { client } = request;
      const taken = take(client);
      if (!taken.allowed) return void respond(request, reply, tooManyPages(secondsOf(taken)));
      if (isEmbedded) end(client);
      else reply.raw.on('close', () => end(client));
      done();
    };

  const uncounted: Hook = (_request, _reply, done) => done();

  return ({ limit, isEmbedded }) => {
    if (limit === 'api' && limiter) return countByApi(limiter);
    if (limit === 'page' && pageLimit) return countByPages(pageLimit, isEmbedded);
    return uncounted;
  };
}
