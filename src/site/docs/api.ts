import { limitSentence, type Policy } from '../../http/limit.ts';
import type { Json, JsonObject } from '../../http/operation.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';
import type { DocPage } from './page.ts';

/** `/openapi.json`, parsed. */
export type ApiDocument = JsonObject;

export interface ApiField {
  name: string;
  /** Type and presence in words: `string or null`, `in the path`. */
  kind: string;
  description: string;
}

/** One operation, as the API reference shows it. */
export interface ApiOperation {
  id: string;
  tag: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: ApiField[];
  fields: ApiField[];
  errors: { status: string; description: string }[];
  curl: string;
  response: { status: string; text: string; language: 'json' | 'http' };
}

/** The operations of the OpenAPI document. */
export function operationsOf(
  document: ApiDocument,
  dependencies: { baseUrl: string; specimens: readonly Specimen[] },
): ApiOperation[] {
  const label = dependencies.specimens.find((specimen) => specimen.label)!.label!;
  const operations: ApiOperation[] = [];
  for (const [path, methods] of entries(document.paths)) {
    for (const [method, operation] of entries(methods)) {
      const responses = object(operation.responses);
      const ok = resolve(document, responses['200']);
      const media = object(ok.content)['application/json'];
      const id = text(operation.operationId);
      const parameters = ((operation.parameters ?? []) as Json[]).map((parameter) =>
        resolve(document, parameter),
      );
      const url = `${dependencies.baseUrl}${withExamples(path.replace('{vin}', label.vin), parameters)}`;
      operations.push({
        id,
        tag: text((operation.tags as Json[])[0]),
        method: method.toUpperCase(),
        path,
        summary: text(operation.summary),
        description: text(operation.description),
        parameters: parameters.map(parameterField),
        fields: media ? fields(document, object(media).schema, '', 2) : [],
        errors: entries(responses)
          .filter(([status]) => status !== '200')
          .map(([status, response]) => ({
            status,
            description: text(resolve(document, response).description),
          })),
        curl: curlOf(id, method, url),
        response: media
          ? { status: '200', text: JSON.stringify(exampleOf(object(media)), null, 2), language: 'json' }
          : { status: '200', text: headersOf(id, label), language: 'http' },
      });
    }
  }
  return operations;
}

/** Replaces path parameters with their examples, and adds the query parameters without which there is no answer. */
function withExamples(path: string, parameters: JsonObject[]): string {
  const exampleOfParameter = ({ example }: JsonObject): string =>
    typeof example === 'number' ? `${example}` : text(example);
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (url, parameter) => url.replace(`{${text(parameter.name)}}`, exampleOfParameter(parameter)),
      path,
    );
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map((parameter) => `${text(parameter.name)}=${encodeURIComponent(exampleOfParameter(parameter))}`);
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled;
}

function curlOf(id: string, method: string, url: string): string {
  if (method === 'head') return `curl -I ${url}`;
  if (id === 'decodeVins')
    return `curl -H 'Content-Type: application/json' -d '{"vins": ["1FMUK8DH0TG000000"]}' ${url}`;
  if (method === 'post') return `curl -d 'data=1FTMW1T88MFA00001,2021;5UXWX7C5*BA&format=json' ${url}`;
  if (id === 'getSticker') return `curl -OJ ${url}`;
  if (id === 'getPreview') return `curl -o label.webp ${url}`;
  return url.includes('?') ? `curl '${url}'` : `curl ${url}`;
}

/** The response headers of a binary response. */
function headersOf(id: string, label: NonNullable<Specimen['label']>): string {
  const pdf = [
    'content-type: application/pdf',
    `content-length: ${label.bytes}`,
    `etag: "${label.sha256}"`,
    'accept-ranges: bytes',
    `content-disposition: inline; filename="window-sticker-${label.vin}.pdf"`,
  ];
  const lines = id === 'getPreview' ? ['content-type: image/webp'] : pdf;
  return ['HTTP/1.1 200 OK', ...lines, 'cache-control: public, max-age=31536000, immutable'].join('\n');
}

function parameterField(parameter: JsonObject): ApiField {
  const schema = object(parameter.schema);
  const location =
    parameter.in === 'path' ? 'in the path' : parameter.in === 'header' ? 'header' : 'in the query';
  const values = Array.isArray(schema.enum) && schema.enum.length < 6 ? `, ${joined(schema.enum, ', ')}` : '';
  const defaultValue = schema.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`;
  return {
    name: text(parameter.name),
    kind: `${location}${values}${defaultValue}`,
    description: text(parameter.description),
  };
}

function fields(document: ApiDocument, schema: Json | undefined, prefix: string, depth: number): ApiField[] {
  const { properties, required } = unwrapped(document, schema);
  return entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const optional = Array.isArray(required) && !required.includes(name) ? ', may be absent' : '';
    const resolved = unwrapped(document, property);
    const field: ApiField = {
      name: path,
      kind: `${kindOf(document, property)}${optional}`,
      description: text(property.description ?? resolved.description),
    };
    return depth > 1 ? [field, ...fields(document, property, `${path}.`, depth - 1)] : [field];
  });
}

/** The schema without a reference or an "or null" around it. */
function unwrapped(document: ApiDocument, schema: Json | undefined): JsonObject {
  const resolved = resolve(document, schema);
  const [first] = (resolved.anyOf ?? []) as Json[];
  return first === undefined ? resolved : resolve(document, first);
}

function kindOf(document: ApiDocument, schema: JsonObject): string {
  const nullable = Array.isArray(schema.anyOf) ? ' or null' : '';
  const { type, properties } = unwrapped(document, schema);
  if (Array.isArray(type)) return joined(type, ' or ');
  return `${typeof type === 'string' ? type : properties ? 'object' : 'value'}${nullable}`;
}

function exampleOf(media: JsonObject): Json {
  if (media.example !== undefined) return media.example;
  const [first] = Object.values(object(media.examples));
  return object(first).value ?? null;
}

function resolve(document: ApiDocument, value: Json | undefined): JsonObject {
  const { $ref, ...inline } = object(value);
  if (typeof $ref !== 'string') return inline;
  let target: Json | undefined = document;
  for (const key of $ref.slice(2).split('/')) target = object(target)[key];
  return object(target);
}

function object(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function entries(value: Json | undefined): [string, JsonObject][] {
  return Object.entries(object(value)).map(([key, member]) => [key, object(member)]);
}

function joined(values: readonly Json[], separator: string): string {
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(separator);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The API reference as Markdown; `pages/documents/api.ts` renders the same operations as HTML. */
export function apiPage(dependencies: {
  baseUrl: string;
  limit: Policy | null;
  specimens: readonly Specimen[];
  openapi(): Promise<ApiDocument>;
}): DocPage {
  const description = `Send a VIN, get the decoded vehicle and the URL of its window sticker. ${limitSentence(dependencies.limit)} Request each VIN once and keep the response.`;
  return {
    path: '/docs/api',
    title: 'API reference',
    description,
    async markdown() {
      const operations = operationsOf(await dependencies.openapi(), dependencies);
      return [
        '# One request, no key',
        description,
        'Machine-readable: [openapi.json](/openapi.json), and JSON schemas of [a lookup](/schemas/vin-response.json), [a reading](/schemas/label.json), [a problem](/schemas/problem.json) and [the status](/schemas/status.json).',
        ...operations.map(operationMarkdown),
      ].join('\n\n');
    },
  };
}

function operationMarkdown(operation: ApiOperation): string {
  const { summary, method, path, description, parameters, fields, errors, curl, response } = operation;
  const list = (title: string, items: readonly ApiField[]) =>
    items.length
      ? [
          `### ${title}`,
          items.map(({ name, kind, description }) => `- \`${name}\` (${kind}): ${description}`).join('\n'),
        ]
      : [];
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    description,
    ...list('Parameters', parameters),
    `\`\`\`sh\n${curl}\n\`\`\``,
    `\`\`\`${response.language}\n${response.text}\n\`\`\``,
    ...list('Response', fields),
    '### Other responses',
    errors.map(({ status, description }) => `- ${status}: ${description}`).join('\n'),
  ].join('\n\n');
}
