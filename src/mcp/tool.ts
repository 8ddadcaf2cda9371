import type { CallToolResult } from '@modelcontextprotocol/server';
import { parseVin, tidyVin, vinsIn } from '@monroney/vin';
import { z } from 'zod';
import { explainBadVin } from '../http/request.ts';
import type { LongWork } from '../lib/long-work.ts';
import { duration, joinWithAnd } from '@monroney/label/lib/words';
import { MAX_FETCHES_PER_MINUTE, MAX_CONCURRENT_FETCHES, type Lookup } from '../lookup/find.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { vinResponse } from '../lookup/finding-response.ts';
import { Vehicle, WindowSticker } from '../lookup/schemas.ts';
import { bounded } from './text.ts';

/** What a tool may use. It has no access to the HTTP request: over standard input there is none. */
export interface ToolContext {
  lookup: Lookup;
  /** For lists of VINs. */
  longWork: LongWork;
  /** For links to our pages; null if no service is known to run. */
  baseUrl: string | null;
  /** How the sources are doing, as on the status page. */
  status?(): Promise<{ outage?: { text: string } | null; sources: readonly SourceHealth[] }>;
  /** Identifies the client for limits and fair queues. */
  client?: string;
  /** Aborted when the client has left. */
  disconnected?: AbortSignal;
}

interface SourceHealth {
  source: string;
  state: string;
  lastWorked: string | null;
}

export interface Tool {
  name: string;
  title: string;
  /** At most 450 characters: what it does, when to use it, when not, and what the schema can't say. */
  description: string;
  /**
   * What it is for, in a few words of the server's instructions; a question that it answers; and the words of its description
   * that make an assistant pick it.
   */
  selection: { use: string; question: string; decidingWords: string };
  /** Arguments of an example call with specimen VINs, for the documentation. */
  example(vins: { held: string; another: string; none: string }): Record<string, unknown>;
  input: z.ZodObject;
  /** Null if the result is a picture: given a schema, clients show only the structured content. */
  output: z.ZodObject | null;
  /** True if assistants may show the result as a card (MCP Apps). */
  card?: true;
  /** True if a call may send a request to a manufacturer. */
  openWorld: boolean;
  run(args: Record<string, unknown>, context: ToolContext): Promise<CallToolResult>;
}

/** Enough for the URL of a listing. */
const MAX_VIN_TEXT = 2_000;

// No pattern: a client would reject input that we can clean up or explain.
export const vinInput = z
  .string()
  .max(MAX_VIN_TEXT)
  .describe(
    '17-character US VIN, or the URL of a listing that contains it; case, spaces and dashes do not matter. If it is invalid, the error says what to fix.',
  );

/** Said by the tools that may contact a manufacturer for one VIN. */
export const LOOKUP_COST = 'A VIN not stored yet takes up to 20 s; an error says when to retry.';

/** The server also takes a pasted list, as one text or as an item. */
export const vinsInput = (min: number, max: number, description: string) =>
  z
    .array(z.string())
    .min(min)
    .max(max)
    .describe(
      `${min} to ${max} US VINs of 17 characters, or URLs that contain one, one per item; case, spaces and dashes do not matter. ${description}`,
    );

export function toolError(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/** The object as structured content, and a text for clients that show only text. */
export function toolResult(
  value: Record<string, unknown>,
  text: string,
  ...more: CallToolResult['content']
): CallToolResult {
  return { structuredContent: { ok: true, ...value }, content: [{ type: 'text', text }, ...more] };
}

/** What people paste before a VIN, such as `VIN: `. */
const VIN_PREFIX = /^\s*vin\b[\s:#.=-]*/i;

/** The VIN in upper case without spaces and dashes, or a tool error that says what is wrong with it. */
export function takeVin(value: unknown, lookup: Lookup): { vin: string } | { error: CallToolResult } {
  const parsed = parsePasted(value, lookup);
  return parsed.ok ? { vin: parsed.vin } : { error: toolError(parsed.message) };
}

type ParsedVin = { ok: true; vin: string } | { ok: false; message: string; suggested: string | null };

/** A VIN with a doubled character. Longer text may contain a VIN. */
const MAX_TYPED_LENGTH = 18;

/**
 * Parses pasted text as a VIN, or finds the VIN in a URL or a sentence. Removes spaces and dashes but never changes a letter
 * or digit. If the text is no VIN and the decoder finds exactly one VIN that fits, that VIN is suggested.
 */
export function parsePasted(value: unknown, lookup: Pick<Lookup, 'decode'>): ParsedVin {
  const text = typeof value === 'string' ? value.slice(0, MAX_VIN_TEXT) : '';
  const tidy = tidyVin(text.replace(VIN_PREFIX, ''));
  const parsed = parseVin(tidy);
  if (parsed.ok) return parsed;
  const [vin, ...others] = tidy.length > MAX_TYPED_LENGTH ? vinsIn(text) : [];
  if (vin !== undefined) {
    if (others.length === 0) return { ok: true, vin };
    const message = `This text contains several VINs: ${joinWithAnd([vin, ...others])}. Give one.`;
    return { ok: false, message, suggested: null };
  }
  return { ok: false, ...explainBadVin(tidy, parsed.message, lookup) };
}

function fetchLimitError(seconds: number): CallToolResult {
  return toolError(
    `You have requested too many new labels: the limit is ${MAX_FETCHES_PER_MINUTE} a minute and ${MAX_CONCURRENT_FETCHES} at once per IP address. ` +
      `Try again in ${duration(seconds)}. Stored labels and decodes are not limited.`,
  );
}

/** URLs of a stored label; null if no service is known to run. */
export function linksOf(
  vin: string,
  baseUrl: string | null,
): { pdf: string; page: string; preview: string } | null {
  if (baseUrl === null) return null;
  return {
    pdf: `${baseUrl}/api/sticker/${vin}`,
    page: `${baseUrl}/window-sticker/${vin}`,
    preview: `${baseUrl}/api/sticker/${vin}/preview`,
  };
}

/** As in the API; `page` is null too if no service is known to run. */
export const StickerOutput = WindowSticker.extend({ page: z.string().nullable() });

/** The API's lookup, without links if no service is known to run, and with plain text from the label. */
export function lookupOf(found: LookupResult, baseUrl: string | null) {
  const { windowSticker, ...response } = vinResponse(found, baseUrl ?? '');
  const { paint } = windowSticker;
  const sticker = {
    ...windowSticker,
    ...(baseUrl === null ? { pdf: null, page: null } : {}),
    ...(paint ? { paint: bounded(paint) as typeof paint } : {}),
  };
  return { ...response, windowSticker: sticker };
}

/** The URI of a stored label's PDF: its URL, or a resource if no service is known to run. */
export const pdfUri = (vin: string, baseUrl: string | null): string =>
  linksOf(vin, baseUrl)?.pdf ?? `vin://${vin}/sticker.pdf`;

/** Where the PDF is. */
export function pdfLine(vin: string, baseUrl: string | null): string {
  const uri = pdfUri(vin, baseUrl);
  return baseUrl === null ? `PDF: the resource ${uri}, or run: monroney get ${vin}` : `PDF: ${uri}`;
}

/**
 * Fields of output schemas. Every assistant reads the list of tools before its first question, so objects of the API are
 * listed with the names and types of their fields, and one description says what the names don't.
 */
export const brief = <T extends z.ZodType>(schema: T, description: string): T =>
  schema.meta({ description, brief: true });

export const textOrNull = (description: string) => z.string().nullable().describe(description);
export const vinField = z.string().describe('The VIN in capitals.');
export const retryAfterField = z.int().nullable().describe('Seconds until a retry may help, or null.');
export const vehicleField = brief(Vehicle.nullable(), 'As decode_vin returns it.');

/** Assistants time out after about thirty seconds. After this, we say that the label is still being fetched. */
const MAX_WAIT_MS = 18_000;

/** Looks up a VIN for a tool. */
export async function lookUpVin(
  value: unknown,
  context: ToolContext,
): Promise<{ found: LookupResult } | { error: CallToolResult }> {
  const parsed = takeVin(value, context.lookup);
  if ('error' in parsed) return parsed;
  const { client } = context;
  const found = await context.lookup.find(parsed.vin, { sticker: true, maxWaitMs: MAX_WAIT_MS, client });
  const { finding } = found;
  return finding.state === 'limited' ? { error: fetchLimitError(finding.retryAfter) } : { found };
}
