/**
 * Generates the client's types from the OpenAPI document: `node tools/client-types.ts`. A test fails if they are out of date.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openapiDocument } from '../src/site/openapi/document.ts';

export const TYPES_FILE = fileURLToPath(new URL('../packages/client/src/api.ts', import.meta.url));

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
}

export interface ApiDescription {
  paths: Record<string, { get?: { parameters?: { name?: string; schema?: Schema }[] } }>;
  components: { schemas: Record<string, Schema> };
}

/** The text of `packages/client/src/api.ts` for an OpenAPI document. */
export function clientTypes({ paths, components }: ApiDescription): string {
  const reasons = paths['/errors/{reason}']?.get?.parameters?.find(({ name }) => name === 'reason')?.schema;
  const named = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `${comment(schema.description, '')}export type ${name} =${schema.enum ? lines(schema.enum) : ` ${type(schema, '')}`};\n`,
  );
  const why = '/** The stable codes of problems; `/errors/{reason}` explains each. */\n';
  return [
    '// Made by tools/client-types.ts from /openapi.json. Change the API, not this file.\n',
    ...named,
    `${why}export type ServiceReason =${lines(reasons?.enum ?? [])};\n`,
  ].join('\n');
}

function lines(values: unknown[]): string {
  return values.map((value) => `\n  | ${literal(value)}`).join('');
}

function type(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!;
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  if (schema.anyOf) return union(schema.anyOf.map((one) => type(one, indent)));
  if (schema.allOf) return schema.allOf.map((one) => type(one, indent)).join(' & ');
  if (Array.isArray(schema.type))
    return union(schema.type.map((one) => type({ ...schema, type: one }, indent)));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `Array<${type(schema.items ?? {}, indent)}>`;
    case 'object':
      return object(schema, indent);
    default:
      return 'unknown';
  }
}

function object(schema: Schema, indent: string): string {
  const { properties, required = [], additionalProperties } = schema;
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? type(additionalProperties, indent) : 'unknown';
    return `Record<string, ${value}>`;
  }
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(
    ([name, member]) =>
      `${comment(member.description, inner)}${inner}${name}${required.includes(name) ? '' : '?'}: ${type(member, inner)};\n`,
  );
  return `{\n${members.join('')}${indent}}`;
}

function comment(text: string | undefined, indent: string): string {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '';
}

const union = (types: string[]): string => [...new Set(types)].join(' | ');

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);

if (import.meta.main) {
  const examples = { lookups: {}, readings: {}, problems: {} as never, labels: [] };
  const document = openapiDocument({ baseUrl: 'http://localhost:8080', month: '2026-10', examples });
  writeFileSync(TYPES_FILE, clientTypes(document as unknown as ApiDescription));
}
