import type { CallToolResult } from '@modelcontextprotocol/server';
import { parseVin, tidyVin } from '@monroney/vin';
import { z } from 'zod';
import { duration } from '../lib/words.ts';
import { MAX_FETCHES_PER_MINUTE, MAX_CONCURRENT_FETCHES } from '../lookup/ask-limit.ts';
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
  example(vins: { held: string; another: string; none: string }): Record<string, unknown>;
  input: z.ZodObject;
  /** Null where the answer is a picture: clients drop everything else where there is a schema. */
  output: z.ZodObject | null;
  /** True where assistants that can may show the answer as a card. */
  card?: true;
  /** True where a manufacturer may be asked live. */
  openWorld: boolean;
  run(args: Record<string, unknown>, parts: ToolParts): Promise<CallToolResult>;
}

// No pattern: a client would refuse to send what we can clean up or explain.
export const vinInput = z
  .string()
  .max(100)
  .describe('The VIN as pasted, even mistyped: what cannot be one is a tool error with a hint.');

export function toolError(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/** The object as structured content, and in words what clients need that show only text. */
export function toolResult(
  value: Record<string, unknown>,
  text: string,
  ...more: CallToolResult['content']
): CallToolResult {
  return { structuredContent: value, content: [{ type: 'text', text }, ...more] };
}

/** What people paste before a VIN. */
const CALLED = /^\s*vin\b[\s:#.=-]*/i;

/** The VIN in capitals without spaces and dashes, or a tool error that says what is wrong with it. */
export function takeVin(value: unknown, lookup: Lookup): { vin: string } | { error: CallToolResult } {
  const parsed = parsePasted(value, lookup);
  return parsed.ok ? { vin: parsed.vin } : { error: toolError(parsed.message) };
}

export type Pasted = { ok: true; vin: string } | { ok: false; message: string; suggested: string | null };

/** The syntax alone suggests by the check digit, which one text in eleven has right by chance. */
const BY_SYNTAX = / Did you mean [A-HJ-NPR-Z0-9]{17}\?$/;

/**
 * Takes a pasted text for a VIN. Cleans it up, but never changes a letter or digit: a VIN is only suggested, where the
 * decoder finds exactly one that fits.
 */
export function parsePasted(value: unknown, lookup: Pick<Lookup, 'decode'>): Pasted {
  const text = typeof value === 'string' ? value.slice(0, 300) : '';
  const tidy = tidyVin(text.replace(CALLED, ''));
  const parsed = parseVin(tidy);
  if (parsed.ok) return parsed;
  const message = parsed.message.replace(BY_SYNTAX, '');
  const suggested = tidy.length >= 16 && tidy.length <= 18 ? lookup.decode(tidy).repair : null;
  return { ok: false, message: suggested ? `${message} Did you mean ${suggested}?` : message, suggested };
}

export function tooOften(seconds: number): CallToolResult {
  return toolError(
    `You have asked for too many new labels: ${MAX_FETCHES_PER_MINUTE} in a minute and ${MAX_CONCURRENT_FETCHES} at once can be fetched for one IP address. ` +
      `Ask again in ${duration(seconds)}. Labels already held and decodes are not limited.`,
  );
}
