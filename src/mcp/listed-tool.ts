import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CARD_URI } from './resources.ts';
import type { Tool } from './tool.ts';

/**
 * A tool as a client sees it.
 *
 * Inputs are strict. Outputs are open: a field added later must not break a client that cached the old schema.
 */
export function listedTool(tool: Tool): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool.input),
    ...(tool.output ? { outputSchema: objectSchema(tool.output) } : {}),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: tool.openWorld,
    },
    ...(tool.card ? { _meta: { ui: { resourceUri: CARD_URI } } } : {}),
  };
}

function inputSchema(input: z.ZodObject): ListedTool['inputSchema'] {
  const { required } = toJsonSchema(input);
  return { ...objectSchema(input), ...(required ? { required } : {}) };
}

function objectSchema(schema: z.ZodObject): ListedTool['inputSchema'] {
  return compact(toJsonSchema(schema)) as ListedTool['inputSchema'];
}

// Without $defs: not every client follows references.
const toJsonSchema = (schema: z.ZodObject) =>
  z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input', reused: 'inline' });

/** Keywords that cost tokens and don't help an assistant. Our errors say more about a text that is too long. */
const OMITTED = new Set(['$schema', 'required', 'examples', 'pattern', 'format', 'maxLength']);

/** Removes what only costs tokens, and writes `type: [string, null]` as `anyOf`: several clients support one type only. */
function compact(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(compact);
  if (schema === null || typeof schema !== 'object') return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !OMITTED.has(key) && !isRedundant(value));
  const copy: Record<string, unknown> = Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'properties' ? fields(value as object) : compact(value)]),
  );
  if (!Array.isArray(copy.type)) return copy;
  const { type, description, ...rest } = copy as { type: string[]; description?: string };
  return {
    ...(description ? { description } : {}),
    anyOf: type.map((name) => (name === 'null' ? { type: name } : { type: name, ...rest })),
  };
}

/** A field may have the name of a keyword, such as `format`. */
function fields(properties: object): object {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, compact(value)]));
}

/** The empty object of an open schema, or the bounds that every JavaScript integer has. */
function isRedundant(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) === Number.MAX_SAFE_INTEGER;
  return (
    value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
