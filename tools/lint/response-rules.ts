import {
  responses,
  operations,
  parametersOf,
  resolved,
  type OpenApi,
  type ResponsePlace,
} from './document.ts';
import type { Rule } from './rules.ts';

const where = (places: { where: string }[]) => places.map((place) => place.where);
const isApi = ({ path }: { path: string }) => /^\/(api|vpic)\//.test(path);

const each = (
  name: string,
  says: string,
  holds: (response: ResponsePlace, document: OpenApi) => boolean,
): Rule => ({
  name,
  says,
  broken: (document) => where(responses(document).filter((response) => !holds(response, document))),
});

const has = ({ response }: ResponsePlace, ...names: string[]) =>
  names.every((name) => name in (response.headers ?? {}));
const isError = ({ status }: ResponsePlace) => !(Number(status) < 400);

export const responseRules: Rule[] = [
  each('responses-described', 'Every response is described in a sentence.', ({ response }) =>
    /^[A-Z].*\.$/s.test(response.description ?? ''),
  ),
  {
    name: 'success-and-failure',
    says: 'Every operation lists its success, client error and server error responses.',
    broken: (document) =>
      where(
        operations(document).filter(({ operation }) => {
          const statuses = Object.keys(operation.responses ?? {});
          return !['200', '400', '500'].every((status) => statuses.includes(status));
        }),
      ),
  },
  each(
    'statuses-listed',
    'Statuses are listed one by one: a JSON default makes generated clients decode the bytes of a PDF as text.',
    ({ status }) => /^[1-5]\d\d$/.test(status),
  ),
  each(
    'errors-are-problems',
    'Every error is an RFC 9457 problem with the shared schema, except for /readyz.',
    (place) => {
      const [type, media] = Object.entries(place.response.content ?? {})[0] ?? [];
      if (!isError(place) || place.path === '/readyz') return true;
      return type === 'application/problem+json' && media?.schema?.$ref === '#/components/schemas/Problem';
    },
  ),
  each(
    'limit-declared',
    'Every response that counts for the limit declares the RateLimit headers.',
    (place) => !isApi(place) || has(place, 'RateLimit', 'RateLimit-Policy'),
  ),
  {
    name: 'limit-response',
    says: 'Every operation under /api/ lists 429, and no other does.',
    broken: (document) =>
      where(
        operations(document).filter((place) => isApi(place) !== '429' in (place.operation.responses ?? {})),
      ),
  },
  each(
    'retry-after',
    'Temporary errors have Retry-After.',
    (place) => !(isApi(place) && /^(429|503)$/.test(place.status)) || has(place, 'Retry-After'),
  ),
  each(
    'validators',
    'Every cacheable response under /api/ has an ETag and Cache-Control.',
    (place) => !(isApi(place) && /^(200|206|304)$/.test(place.status)) || has(place, 'ETag', 'Cache-Control'),
  ),
  each(
    'digests',
    'Every complete response under /api/ has its digest.',
    (place) => !(isApi(place) && place.status === '200') || has(place, 'Content-Digest'),
  ),
  {
    name: 'conditional',
    says: 'Every GET under /api/ takes If-None-Match and lists 304.',
    broken: (document) =>
      where(
        operations(document).filter((place) => {
          const takes = parametersOf(document, place).some(({ name }) => name === 'If-None-Match');
          return (
            isApi(place) && place.method === 'get' && !(takes && '304' in (place.operation.responses ?? {}))
          );
        }),
      ),
  },
  {
    name: 'ranges',
    says: 'Every operation with Range lists 206 and 416.',
    broken: (document) =>
      where(
        operations(document).filter((place) => {
          const takes = parametersOf(document, place).some(({ name }) => name === 'Range');
          const { responses = {} } = place.operation;
          return takes && !('206' in responses && '416' in responses);
        }),
      ),
  },
  each('media-schemas', 'Every body has a schema.', ({ response }) =>
    Object.values(response.content ?? {}).every(({ schema }) => schema),
  ),
  each('examples', 'Every body has an example; if it has several, each has a summary.', ({ response }) =>
    Object.values(response.content ?? {}).every(
      ({ example, examples }) =>
        example !== undefined ||
        (Object.keys(examples ?? {}).length > 0 && Object.values(examples!).every(({ summary }) => summary)),
    ),
  ),
  {
    name: 'headers-described',
    says: 'Every response header is described in a sentence, with an example.',
    broken: (document) =>
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
