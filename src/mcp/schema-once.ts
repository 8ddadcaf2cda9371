import { z } from 'zod';

/**
 * A schema in the form the SDK takes, whose JSON Schema is made once: the SDK builds a server per request and would convert every
 * schema each time, which costs more than the call.
 *
 * Outputs stay open (a field added later must not break a client that holds the old schema), inputs are as strict as the schema says.
 */
export function schemaOnce(schema: z.ZodObject, check: 'input' | 'output') {
  const json = anyOfTypes(z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' })) as Record<
    string,
    unknown
  >;
  const once = () => json;
  const allowed = new Set(Object.keys(schema.shape));
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'monroney',
      validate(value: unknown) {
        // What we send is typed where it is made, and checked against the published schema by the tests.
        if (check === 'output') return { value: value as Record<string, unknown> };
        // Values are judged by the tool, in its own words; only unknown parameters are refused here.
        const unknown = Object.keys((value ?? {}) as object).filter((key) => !allowed.has(key));
        if (unknown.length === 0) return { value: (value ?? {}) as Record<string, unknown> };
        return {
          issues: [
            {
              message: `Unknown parameter ${unknown.slice(0, 3).join(', ')}. Known: ${[...allowed].join(', ')}.`,
            },
          ],
        };
      },
      jsonSchema: { input: once, output: once },
    },
  };
}

/** `type: [string, null]` as `anyOf`: several clients understand only one type in that place. */
function anyOfTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(anyOfTypes);
  if (schema === null || typeof schema !== 'object') return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, anyOfTypes(value)]));
  if (!Array.isArray(copy.type)) return copy;
  const { type, description, ...rest } = copy as { type: string[]; description?: string };
  return {
    ...(description ? { description } : {}),
    anyOf: type.map((one) => (one === 'null' ? { type: one } : { type: one, ...rest })),
  };
}
