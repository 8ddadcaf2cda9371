import {
  responses,
  operations,
  parametersOf,
  resolved,
  type OpenApi,
  type ResponseEntry,
} from './document.ts';
import type { Rule } from './rules.ts';

const where = (entries: { where: string }[]) => entries.map((entry) => entry.where);
const isApi = ({ path }: { path: string }) => /^\/(api|vpic)\//.test(path);

const responseRule = (
  name: string,
  description: string,
  passes: (response: ResponseEntry, document: OpenApi) => boolean,
): Rule => ({
  name,
  description,
  violations: (document) => where(responses(document).filter((response) => !passes(response, document))),
});

const has = ({ response }: ResponseEntry, ...names: string[]) =>
  names.every((name) => name in (response.headers ?? {}));
const isError = ({ status }: ResponseEntry) => !(Number(status) < 400);

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
    (entry) => {
      const [type, media] = Object.entries(entry.response.content ?? {})[0] ?? [];
      if (!isError(entry) || entry.path === '/readyz') return true;
      return type === 'application/problem+json' && media?.schema?.$ref === '#/components/schemas/Problem';
    },
  ),
  responseRule(
    'limit-declared',
    'Every response that counts toward the limit declares the RateLimit headers.',
    (entry) => !isApi(entry) || has(entry, 'RateLimit', 'RateLimit-Policy'),
  ),
  {
    name: 'limit-response',
    description: 'Every operation under /api/ lists 429, and no other does.',
    violations: (document) =>
      where(
        operations(document).filter((entry) => isApi(entry) !== '429' in (entry.operation.responses ?? {})),
      ),
  },
  responseRule(
    'retry-after',
    'Temporary errors have Retry-After.',
    (entry) => !(isApi(entry) && /^(429|503)$/.test(entry.status)) || has(entry, 'Retry-After'),
  ),
  responseRule(
    'validators',
    'Every cacheable response under /api/ has an ETag and Cache-Control.',
    (entry) => !(isApi(entry) && /^(200|206|304)$/.test(entry.status)) || has(entry, 'ETag', 'Cache-Control'),
  ),
  responseRule(
    'digests',
    'Every complete response under /api/ has its digest.',
    (entry) => !(isApi(entry) && entry.status === '200') || has(entry, 'Content-Digest'),
  ),
  {
    name: 'conditional',
    description: 'Every GET under /api/ takes If-None-Match and lists 304.',
    violations: (document) =>
      where(
        operations(document).filter((entry) => {
          const accepts = parametersOf(document, entry).some(({ name }) => name === 'If-None-Match');
          return (
            isApi(entry) && entry.method === 'get' && !(accepts && '304' in (entry.operation.responses ?? {}))
          );
        }),
      ),
  },
  {
    name: 'ranges',
    description: 'Every operation with Range lists 206 and 416.',
    violations: (document) =>
      where(
        operations(document).filter((entry) => {
          const accepts = parametersOf(document, entry).some(({ name }) => name === 'Range');
          const { responses = {} } = entry.operation;
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
