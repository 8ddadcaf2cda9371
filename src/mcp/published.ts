import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CARD } from './card.ts';
import type { Tool } from './tool.ts';

/**
 * A tool as a client sees it. Made once: schemas are converted when the program starts, not per request.
 *
 * Outputs stay open (a field added later must not break a client that holds the old schema), inputs are strict.
 */
export function published(tool: Tool): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: objectSchema(tool.input),
    ...(tool.output ? { outputSchema: objectSchema(tool.output) } : {}),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: tool.openWorld,
    },
    ...(tool.card ? { _meta: { ui: { resourceUri: CARD } } } : {}),
  };
}

function objectSchema(schema: z.ZodObject): ListedTool['inputSchema'] {
  // Written out in full, without $defs: not every client follows references.
  const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input', reused: 'inline' });
  const { required } = json;
  return { ...(compact(json) as ListedTool['inputSchema']), ...(required ? { required } : {}) };
}

/** Costs tokens and tells an assistant nothing. */
const LEFT_OUT = new Set(['$schema', 'required', 'examples', 'pattern', 'format']);

/** Leaves out what only costs tokens, and writes `type: [string, null]` as `anyOf`: several clients take one type only. */
function compact(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(compact);
  if (schema === null || typeof schema !== 'object') return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !LEFT_OUT.has(key) && !saysNothing(value));
  const copy: Record<string, unknown> = Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'properties' ? fields(value as object) : compact(value)]),
  );
  if (!Array.isArray(copy.type)) return copy;
  const { type, description, ...rest } = copy as { type: string[]; description?: string };
  return {
    ...(description ? { description } : {}),
    anyOf: type.map((one) => (one === 'null' ? { type: one } : { type: one, ...rest })),
  };
}

/** Names of fields may be those of keywords, such as `format`. */
function fields(properties: object): object {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, compact(value)]));
}

/** An empty object of an open schema, or the bounds that every integer of JavaScript has. */
function saysNothing(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) === Number.MAX_SAFE_INTEGER;
  return (
    value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
