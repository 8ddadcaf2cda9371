import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
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
    outputSchema: objectSchema(tool.output),
    annotations: {
      title: tool.title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: tool.openWorld,
    },
  };
}

function objectSchema(schema: z.ZodObject): ListedTool['inputSchema'] {
  // Written out in full, without $defs: not every client follows references.
  const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input', reused: 'inline' });
  return plainTypes(json) as ListedTool['inputSchema'];
}

/** `type: [string, null]` as `anyOf`: several clients understand only one type in that place. */
function plainTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainTypes);
  if (schema === null || typeof schema !== 'object') return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, plainTypes(value)]));
  if (!Array.isArray(copy.type)) return copy;
  const { type, description, ...rest } = copy as { type: string[]; description?: string };
  return {
    ...(description ? { description } : {}),
    anyOf: type.map((one) => (one === 'null' ? { type: one } : { type: one, ...rest })),
  };
}
