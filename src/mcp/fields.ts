import { z } from 'zod';

/**
 * Fields of output schemas. The list of tools is read by every assistant before its first question, so each field is
 * described once: a group of figures in the description of the object that holds them, and what another tool returns
 * too only there.
 */

export const said = (description: string) => z.string().nullable().describe(description);

/** An object whose fields its description names. */
export const group = (description: string) => z.looseObject({}).describe(description);
export const groupOrNull = (description: string) => z.looseObject({}).nullable().describe(description);

export const vinField = z.string().describe('The VIN in capitals.');
export const retryAfterField = z.int().nullable().describe('Seconds to wait before asking again.');
