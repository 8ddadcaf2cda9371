import type { z } from 'zod';
import type {
  DescribedResponse,
  DescribedRoute,
  Json,
  JsonObject,
  Operation,
  Samples,
  SharedResponse,
} from '../../http/operation.ts';
import { schemaReference } from './components.ts';

/** On every response under `/api/` and `/vpic/`. */
export const API_HEADERS = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id', 'Link', 'Deprecation', 'Sunset'];

/** `paths` of the OpenAPI document: the descriptions that stand beside the routes, and what they have in common. */
export function pathsOf(routes: readonly DescribedRoute[], samples: Samples): JsonObject {
  return Object.fromEntries(
    routes.map(({ template, operations }) => [
      template,
      mapValues(operations, (operation) => operationObject(operation, isLimited(template), samples)),
    ]),
  );
}

const isLimited = (template: string): boolean => /^\/(?:api|vpic)\//.test(template);

function operationObject(operation: Operation, limited: boolean, samples: Samples): JsonObject {
  const { id, tag, summary, description, parameters = [], body, responses } = operation;
  const headers = limited ? API_HEADERS : ['X-Request-Id'];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters: [...parameters, ...conditions(operation)].map((parameter) =>
      typeof parameter === 'string' ? reference('parameters', parameter) : parameter,
    ),
    ...(body ? { requestBody: requestBody(body) } : {}),
    responses: mapValues({ ...commonResponses(operation, limited), ...responses }, (response) =>
      typeof response === 'string'
        ? reference('responses', response)
        : responseObject({ ...response, headers: [...headers, ...response.headers] }, samples),
    ),
  };
}

const hasHeader = ({ body, responses }: Operation, name: string): boolean =>
  !body && typeof responses[200] === 'object' && responses[200].headers.includes(name);

/** The conditional and range requests that the validators of a response allow. */
const conditions = (operation: Operation): string[] => [
  ...(hasHeader(operation, 'ETag') ? ['IfNoneMatch'] : []),
  ...(hasHeader(operation, 'Last-Modified') ? ['IfModifiedSince'] : []),
  ...(operation.responses[206] ? ['Range', 'IfRange'] : []),
];

/**
 * What a request can get whatever its operation. Each status is listed, because a JSON `default` would make generated
 * clients decode a PDF as text.
 */
function commonResponses(operation: Operation, limited: boolean): Operation['responses'] {
  const common: Record<number, SharedResponse> = { 400: 'BadRequest', 500: 'InternalError' };
  if (hasHeader(operation, 'ETag')) Object.assign(common, { 304: 'NotModified', 412: 'PreconditionFailed' });
  if (operation.body) common[413] = 'BodyTooLarge';
  if (limited) Object.assign(common, { 429: 'TooManyRequests', 503: 'StoreUnavailable' });
  return common;
}

const requestBody = ({ description, type, schema, example }: NonNullable<Operation['body']>): JsonObject => ({
  required: true,
  description,
  content: { [type]: { schema: schemaReference(schema), example } },
});

function responseObject(response: DescribedResponse, samples: Samples): JsonObject {
  const { description, headers, content, otherContent } = response;
  const media = (of: NonNullable<typeof content>): JsonObject =>
    mapValues(of, ({ schema, example, examples }) => ({
      schema: schemaObject(schema),
      ...(example === undefined
        ? {}
        : { example: typeof example === 'function' ? example(samples) : example }),
      ...(examples ? { examples: { ...samples[examples] } } : {}),
    }));
  return {
    description,
    headers: headerReferences(headers),
    ...(content ? { content: media(content) } : {}),
    ...(otherContent ? { 'x-other-content': media(otherContent) } : {}),
  };
}

function schemaObject(schema: z.ZodType | 'binary' | 'text'): JsonObject {
  if (typeof schema !== 'string') return schemaReference(schema);
  return schema === 'binary' ? { type: 'string', format: 'binary' } : { type: 'string' };
}

export const headerReferences = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, reference('headers', name)]));

const reference = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` });

const mapValues = <T>(values: Readonly<Record<string, T>>, to: (value: T) => Json): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]));
