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
  holds: (answer: ResponsePlace, document: OpenApi) => boolean,
): Rule => ({
  name,
  says,
  broken: (document) => where(responses(document).filter((answer) => !holds(answer, document))),
});

const has = ({ answer }: ResponsePlace, ...names: string[]) =>
  names.every((name) => name in (answer.headers ?? {}));
const isError = ({ status }: ResponsePlace) => !(Number(status) < 400);

export const responseRules: Rule[] = [
  each('answers-described', 'Every answer is described in a sentence.', ({ answer }) =>
    /^[A-Z].*\.$/s.test(answer.description ?? ''),
  ),
  {
    name: 'success-and-failure',
    says: 'Every operation lists what it answers when all is well, when the request is wrong and when we are.',
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
    'Every error is an RFC 9457 problem of the one shared shape, except that readiness answers as readiness does.',
    (place) => {
      const [type, media] = Object.entries(place.answer.content ?? {})[0] ?? [];
      if (!isError(place) || place.path === '/readyz') return true;
      return type === 'application/problem+json' && media?.schema?.$ref === '#/components/schemas/Problem';
    },
  ),
  each(
    'limit-declared',
    'Every counted answer declares the RateLimit fields.',
    (place) => !isApi(place) || has(place, 'RateLimit', 'RateLimit-Policy'),
  ),
  {
    name: 'limit-answered',
    says: 'Every operation under /api/ can answer 429, and nothing else can.',
    broken: (document) =>
      where(
        operations(document).filter((place) => isApi(place) !== '429' in (place.operation.responses ?? {})),
      ),
  },
  each(
    'retry-after',
    'Answers that pass say when to ask again.',
    (place) => !(isApi(place) && /^(429|503)$/.test(place.status)) || has(place, 'Retry-After'),
  ),
  each(
    'validators',
    'Every answer under /api/ that may be kept has an ETag and says how long.',
    (place) => !(isApi(place) && /^(200|206|304)$/.test(place.status)) || has(place, 'ETag', 'Cache-Control'),
  ),
  each(
    'digests',
    'Every whole answer under /api/ has its digest.',
    (place) => !(isApi(place) && place.status === '200') || has(place, 'Content-Digest'),
  ),
  {
    name: 'conditional',
    says: 'Every GET under /api/ takes If-None-Match and can answer 304.',
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
    says: 'What takes a range can answer 206 and 416.',
    broken: (document) =>
      where(
        operations(document).filter((place) => {
          const takes = parametersOf(document, place).some(({ name }) => name === 'Range');
          const { responses = {} } = place.operation;
          return takes && !('206' in responses && '416' in responses);
        }),
      ),
  },
  each('media-schemas', 'Every body has a schema.', ({ answer }) =>
    Object.values(answer.content ?? {}).every(({ schema }) => schema),
  ),
  each('examples', 'Every body has an example; several are told apart by a summary.', ({ answer }) =>
    Object.values(answer.content ?? {}).every(
      ({ example, examples }) =>
        example !== undefined ||
        (Object.keys(examples ?? {}).length > 0 && Object.values(examples!).every(({ summary }) => summary)),
    ),
  ),
  {
    name: 'headers-described',
    says: 'Every header of an answer is described in a sentence, with an example.',
    broken: (document) =>
      responses(document).flatMap(({ where, answer }) =>
        Object.entries(answer.headers ?? {})
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
