import { responses, operations, parametersOf, resolved, type OpenApi, type ResponseAt } from './document.ts';
import type { Rule } from './rules.ts';

const where = (places: { where: string }[]) => places.map((place) => place.where);
const isApi = ({ path }: { path: string }) => /^\/(api|vpic)\//.test(path);

const responseRule = (
  name: string,
  description: string,
  passes: (response: ResponseAt, document: OpenApi) => boolean,
): Rule => ({
  name,
  description,
  violations: (document) => where(responses(document).filter((response) => !passes(response, document))),
});

const has = ({ response }: ResponseAt, ...names: string[]) =>
  names.every((name) => name in (response.headers ?? {}));
const isError = ({ status }: ResponseAt) => !(Number(status) < 400);

export const responseRules: Rule[] = [
  responseRule('responses-described', 'Every response is described in a sentence.', ({ response }) =>
    /^[A-Z].*\.$/s.test(response.description ?? ''),
  ),
  {
    name: 'success-and-failure',
    description: 'Every operation lists its success, client error and server error responses.',
    violations: (document) =>
      where(
        operations(document).filter(({ operation }) => {
          const statuses = Object.keys(operation.responses ?? {});
          return !['200', '400', '500'].every((status) => statuses.includes(status));
        }),
      ),
  },
  responseRule(
    'statuses-listed',
    'Statuses are listed one by one: a JSON default makes generated clients decode the bytes of a PDF as text.',
    ({ status }) => /^[1-5]\d\d$/.test(status),
  ),
  responseRule(
    'errors-are-problems',
    'Every error is an RFC 9457 problem with the shared schema, except for /readyz.',
    (place) => {
      const [type, media] = Object.entries(place.response.content ?? {})[0] ?? [];
      if (!isError(place) || place.path === '/readyz') return true;
      return type === 'application/problem+json' && media?.schema?.$ref === '#/components/schemas/Problem';
    },
  ),
  responseRule(
    'limit-declared',
    'Every response that counts toward the limit declares the RateLimit headers.',
    (place) => !isApi(place) || has(place, 'RateLimit', 'RateLimit-Policy'),
  ),
  {
    name: 'limit-response',
    description: 'Every operation under /api/ lists 429, and no other does.',
    violations: (document) =>
      where(
        operations(document).filter((place) => isApi(place) !== '429' in (place.operation.responses ?? {})),
      ),
  },
  responseRule(
    'retry-after',
    'Temporary errors have Retry-After.',
    (place) => !(isApi(place) && /^(429|503)$/.test(place.status)) || has(place, 'Retry-After'),
  ),
  responseRule(
    'validators',
    'Every cacheable response under /api/ has an ETag and Cache-Control.',
    (place) => !(isApi(place) && /^(200|206|304)$/.test(place.status)) || has(place, 'ETag', 'Cache-Control'),
  ),
  responseRule(
    'digests',
    'Every complete response under /api/ has its digest.',
    (place) => !(isApi(place) && place.status === '200') || has(place, 'Content-Digest'),
  ),
  {
    name: 'conditional',
    description: 'Every GET under /api/ takes If-None-Match and lists 304.',
    violations: (document) =>
      where(
        operations(document).filter((place) => {
          const accepts = parametersOf(document, place).some(({ name }) => name === 'If-None-Match');
          return (
            isApi(place) && place.method === 'get' && !(accepts && '304' in (place.operation.responses ?? {}))
          );
        }),
      ),
  },
  {
    name: 'ranges',
    description: 'Every operation with Range lists 206 and 416.',
    violations: (document) =>
      where(
        operations(document).filter((place) => {
          const accepts = parametersOf(document, place).some(({ name }) => name === 'Range');
          const { responses = {} } = place.operation;
          return accepts && !('206' in responses && '416' in responses);
        }),
      ),
  },
  responseRule('media-schemas', 'Every body has a schema.', ({ response }) =>
    Object.values(response.content ?? {}).every(({ schema }) => schema),
  ),
  responseRule(
    'examples',
    'Every body has an example; if it has several, each has a summary.',
    ({ response }) =>
      Object.values(response.content ?? {}).every(
        ({ example, examples }) =>
          example !== undefined ||
          (Object.keys(examples ?? {}).length > 0 &&
            Object.values(examples!).every(({ summary }) => summary)),
      ),
  ),
  {
    name: 'headers-described',
    description: 'Every response header is described in a sentence, with an example.',
    violations: (document) =>
      responses(document).flatMap(({ where, response }) =>
        Object.entries(response.headers ?? {})
          .filter(([, header]) => {
            const { description = '', example } = resolved<{ description?: string; example?: unknown }>(
              document,
              header,
            );
            return !description.endsWith('.') || example === undefined;
          })
          .map(([name]) => `${where} ${name}`),
      ),
  },
];
