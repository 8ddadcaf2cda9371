import type { Json, JsonObject } from '../openapi/schemas.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';

/** `/openapi.json`, parsed. */
export type ApiDocument = JsonObject;

export interface ApiField {
  name: string;
  /** Type and presence in words: `string or null`, `in the path`. */
  kind: string;
  says: string;
}

/** One operation, as a reader needs it. */
export interface ApiOperation {
  id: string;
  tag: string;
  method: string;
  path: string;
  summary: string;
  says: string;
  parameters: ApiField[];
  fields: ApiField[];
  errors: { status: string; says: string }[];
  curl: string;
  answer: { status: string; text: string; language: 'json' | 'http' };
}

/** Everything the reference shows, taken from the document that programs read. */
export function operationsOf(
  document: ApiDocument,
  parts: { baseUrl: string; specimens: readonly Specimen[] },
): ApiOperation[] {
  const label = parts.specimens.find((specimen) => specimen.label)!.label!;
  const operations: ApiOperation[] = [];
  for (const [path, methods] of entries(document.paths)) {
    for (const [method, operation] of entries(methods)) {
      const responses = object(operation.responses);
      const ok = resolve(document, responses['200']);
      const media = object(ok.content)['application/json'];
      const id = text(operation.operationId);
      const given = ((operation.parameters ?? []) as Json[]).map((each) => resolve(document, each));
      const url = `${parts.baseUrl}${filledIn(path.replace('{vin}', label.vin), given)}`;
      operations.push({
        id,
        tag: text((operation.tags as Json[])[0]),
        method: method.toUpperCase(),
        path,
        summary: text(operation.summary),
        says: text(operation.description),
        parameters: given.map(parameter),
        fields: media ? fields(document, object(media).schema, '', 2) : [],
        errors: entries(responses)
          .filter(([status]) => status !== '200')
          .map(([status, response]) => ({ status, says: text(resolve(document, response).description) })),
        curl: curlOf(id, method, url),
        answer: media
          ? { status: '200', text: JSON.stringify(exampleOf(object(media)), null, 2), language: 'json' }
          : { status: '200', text: headersOf(id, label), language: 'http' },
      });
    }
  }
  return operations;
}

/** A path with the examples of its parameters in it. */
function filledIn(path: string, parameters: JsonObject[]): string {
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (made, { name, example }) =>
        made.replace(`{${text(name)}}`, typeof example === 'number' ? `${example}` : text(example)),
      path,
    );
}

function curlOf(id: string, method: string, url: string): string {
  if (method === 'head') return `curl -I ${url}`;
  if (id === 'decodeVins')
    return `curl -H 'Content-Type: application/json' -d '{"vins": ["1FMUK8DH0TG000000"]}' ${url}`;
  if (method === 'post') return `curl -d 'data=1FTMW1T88MFA00001,2021;5UXWX7C5*BA&format=json' ${url}`;
  if (id === 'getSticker') return `curl -OJ ${url}`;
  return id === 'getPreview' ? `curl -o label.webp ${url}` : `curl ${url}`;
}

/** What comes before the bytes; `operations.test.ts` holds it against a real answer. */
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

function parameter(each: JsonObject): ApiField {
  const schema = object(each.schema);
  const place = each.in === 'path' ? 'in the path' : each.in === 'header' ? 'header' : 'in the query';
  const values = Array.isArray(schema.enum) && schema.enum.length < 6 ? `, ${words(schema.enum, ', ')}` : '';
  const usual = schema.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`;
  return { name: text(each.name), kind: `${place}${values}${usual}`, says: text(each.description) };
}

function fields(document: ApiDocument, schema: Json | undefined, before: string, depth: number): ApiField[] {
  const { properties, required } = plain(document, schema);
  return entries(properties).flatMap(([name, property]) => {
    const path = `${before}${name}`;
    const optional = Array.isArray(required) && !required.includes(name) ? ', may be absent' : '';
    const resolved = plain(document, property);
    const own: ApiField = {
      name: path,
      kind: `${kindOf(document, property)}${optional}`,
      says: text(property.description ?? resolved.description),
    };
    return depth > 1 ? [own, ...fields(document, property, `${path}.`, depth - 1)] : [own];
  });
}

/** The schema itself, whatever reference or "or null" is wrapped around it. */
function plain(document: ApiDocument, schema: Json | undefined): JsonObject {
  const resolved = resolve(document, schema);
  const [first] = (resolved.anyOf ?? []) as Json[];
  return first === undefined ? resolved : resolve(document, first);
}

function kindOf(document: ApiDocument, schema: JsonObject): string {
  const nullable = Array.isArray(schema.anyOf) ? ' or null' : '';
  const { type, properties } = plain(document, schema);
  if (Array.isArray(type)) return words(type, ' or ');
  return `${typeof type === 'string' ? type : properties ? 'object' : 'value'}${nullable}`;
}

function exampleOf(media: JsonObject): Json {
  if (media.example !== undefined) return media.example;
  const [first] = Object.values(object(media.examples));
  return object(first).value ?? null;
}

function resolve(document: ApiDocument, value: Json | undefined): JsonObject {
  const given = object(value);
  if (typeof given.$ref !== 'string') return given;
  let found: Json | undefined = document;
  for (const key of given.$ref.slice(2).split('/')) found = object(found)[key];
  return object(found);
}

function object(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function entries(value: Json | undefined): [string, JsonObject][] {
  return Object.entries(object(value)).map(([key, each]) => [key, object(each)]);
}

function words(values: readonly Json[], between: string): string {
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(between);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
