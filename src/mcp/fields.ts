import { z } from 'zod';

/**
 * Fields of output schemas. Every assistant reads the list of tools before its first question, so descriptions are short:
 * an object's description names its fields, and what several tools return is described in one of them.
 */

export const textOrNull = (description: string) => z.string().nullable().describe(description);

/** An object whose description names its fields. */
export const group = (description: string) => z.looseObject({}).describe(description);
export const groupOrNull = (description: string) => z.looseObject({}).nullable().describe(description);

export const vinField = z.string().describe('The VIN in capitals.');
export const retryAfterField = z.int().nullable().describe('Seconds to wait before asking again.');
