import { z } from 'zod';

/** Building blocks of the schemas of what the service sends. */

export const nullableText = (description: string, ...examples: string[]) =>
  z
    .string()
    .nullable()
    .meta({ description, ...(examples.length ? { examples } : {}) });

/**
 * Text from a set that may grow. In JSON Schema it is a string with examples and not an `enum`, because generated clients
 * reject a whole response for one new value.
 */
export const openSet = <T extends string>(values: readonly T[], description: string) =>
  z.string().meta({ description, examples: [...values] }) as unknown as z.ZodType<T, T>;

export const nullableOpenSet = <T extends string>(values: readonly T[], description: string) =>
  nullableText(description, ...values) as unknown as z.ZodType<T | null, T | null>;
