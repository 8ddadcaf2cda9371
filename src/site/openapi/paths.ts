import type { z } from 'zod';
import type {
  DescribedResponse,
  DescribedRoute,
  Json,
  JsonObject,
  Operation,
  Samples,
} from '../../http/operation.ts';
import { schemaReference } from './components.ts';

/** `paths` of the OpenAPI document: the descriptions that stand beside the routes. */
export function pathsOf(routes: readonly DescribedRoute[], samples: Samples): JsonObject {
  return Object.fromEntries(
    routes.map(({ template, operations }) => [
      template,
      mapValues(operations, (operation) => operationObject(operation, samples)),
    ]),
  );
}

function operationObject(operation: Operation, samples: Samples): JsonObject {
  const { id, tag, summary, description, parameters = [], body, responses } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters: parameters.map((parameter) =>
      typeof parameter === 'string' ? reference('parameters', parameter) : parameter,
    ),
    ...(body ? { requestBody: requestBody(body) } : {}),
    responses: mapValues(responses, (response) =>
      typeof response === 'string' ? reference('responses', response) : responseObject(response, samples),
    ),
  };
}

const requestBody = ({ description, type, schema, example }: NonNullable<Operation['body']>): JsonObject => ({
  required: true,
  description,
  content: { [type]: { schema: schemaReference(schema), example } },
});

function responseObject({ description, headers, content }: DescribedResponse, samples: Samples): JsonObject {
  if (!content) return { description, headers: headerReferences(headers) };
  const media = mapValues(content, ({ schema, example, examples }) => ({
    schema: schemaObject(schema),
    ...(example === undefined ? {} : { example: typeof example === 'function' ? example(samples) : example }),
    ...(examples ? { examples: { ...samples[examples] } } : {}),
  }));
  return { description, headers: headerReferences(headers), content: media };
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
