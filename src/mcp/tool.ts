import type { CallToolResult } from '@modelcontextprotocol/server';
import { parseVin } from '@monroney/vin';
import { z } from 'zod';
import { duration } from '../lib/words.ts';
import { FETCHES_A_MINUTE, FETCHES_AT_ONCE } from '../lookup/ask-limit.ts';
import type { Lookup } from '../lookup/find.ts';

/** What a tool may use. Nothing of the HTTP request reaches it: over standard input there is none. */
export interface ToolParts {
  lookup: Lookup;
  /** Where our pages are, for links. */
  baseUrl: string;
  /** Who asks, for limits and fair queues; over standard input nobody is limited. */
  client?: string;
}

export interface Tool {
  name: string;
  title: string;
  /** At most 450 characters: what, when to use, when not, what the schema cannot say. */
  description: string;
  /** A question that this tool answers, and the words of its description that an assistant picks it by. */
  picked: { question: string; words: string };
  /** Arguments of a call to show, with specimen VINs. */
  example(vins: { held: string; none: string }): Record<string, string>;
  input: z.ZodObject;
  output: z.ZodObject;
  /** True where a manufacturer may be asked live. */
  openWorld: boolean;
  run(args: Record<string, unknown>, parts: ToolParts): Promise<CallToolResult>;
}

export const vinInput = z
  .string()
  .meta({ pattern: '^[A-HJ-NPR-Za-hj-npr-z0-9]{17}$', minLength: 17, maxLength: 17 })
  .describe('The 17-character vehicle identification number; upper or lower case, never I, O or Q.');

export function toolError(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/** The object as structured content and, for older clients, the same JSON as text. */
export function toolResult(
  value: Record<string, unknown>,
  ...more: CallToolResult['content']
): CallToolResult {
  return { structuredContent: value, content: [{ type: 'text', text: JSON.stringify(value) }, ...more] };
}

/** The VIN in capitals, or a tool error that says what is wrong with it. */
export function takeVin(value: unknown): { vin: string } | { error: CallToolResult } {
  const text = typeof value === 'string' ? value.trim() : '';
  const parsed = parseVin(text);
  if (parsed.ok) return { vin: parsed.vin };
  return { error: toolError(parsed.message) };
}

export function tooOften(seconds: number): CallToolResult {
  return toolError(
    `You have asked for too many new labels: ${FETCHES_A_MINUTE} in a minute and ${FETCHES_AT_ONCE} at once can be fetched for one IP address. ` +
      `Ask again in ${duration(seconds)}. Labels already held and decodes are not limited.`,
  );
}
