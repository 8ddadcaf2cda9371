import type { CallToolResult } from '@modelcontextprotocol/server';
import { parseVin, repairsOf } from '@monroney/vin';
import { z } from 'zod';
import type { Lookup } from '../lookup.ts';

/** What a tool may use. Nothing of the HTTP request reaches it: over standard input there is none. */
export interface ToolParts {
  lookup: Lookup;
  baseUrl: string;
  /** False when this caller has made the manufacturer work too often in the last minute. */
  mayAsk(): boolean;
}

export interface Tool {
  name: string;
  title: string;
  /** At most 450 characters: what, when to use, when not, what the schema cannot say. */
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
  /** True where a manufacturer may be asked live. */
  openWorld: boolean;
  run(args: Record<string, unknown>, parts: ToolParts): Promise<CallToolResult>;
}

/** Assistants give up at about thirty seconds; past this we say that the asking goes on. */
export const PATIENCE_MS = 20_000;

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

/** The VIN in capitals, or a tool error that names the position and, where there is one, the repair. */
export function takeVin(value: unknown): { vin: string } | { error: CallToolResult } {
  const text = typeof value === 'string' ? value : '';
  const parsed = parseVin(text.trim());
  if (parsed.ok) return { vin: parsed.vin };
  const repairs = repairsOf(text.trim());
  const meant = repairs.length === 1 ? ` Did you mean ${repairs[0]}?` : '';
  return { error: toolError(`${parsed.message}${meant}`) };
}

export const tooOften = toolError(
  'You have asked for 20 labels that were not held within one minute. Labels already held and decodes are still answered. Wait a minute, then ask again.',
);
