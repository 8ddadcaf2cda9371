import { withoutNulls } from './message.ts';
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { LongWorkFull } from '../lib/long-work.ts';
import { duration } from '@monroney/label/lib/words';
import { Busy } from '../lookup/texts-and-previews.ts';
import { STORE_UNAVAILABLE } from '../lookup/messages.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import { toolError, type Tool, type ToolContext } from './tool.ts';
import { tools } from './tools.ts';

/** Longer than a lookup waits for a manufacturer, shorter than assistants wait for a tool. */
const DEADLINE_MS = 24_000;

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** An unknown name is a protocol error, not a tool error. */
export function toolNamed(name: string): Tool {
  const tool = byName.get(name);
  if (tool) return tool;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool "${name.slice(0, 60)}". Tools: ${[...byName.keys()].join(', ')}.`,
  );
}

interface CallContext extends ToolContext {
  /** Logs an unexpected error. The client learns only that one occurred. */
  reportError(error: unknown): void;
}

/** Runs a tool. Always returns a result within the deadline, and never reveals the text of an unexpected error. */
export async function callTool(
  tool: Tool,
  given: Record<string, unknown> = {},
  context: CallContext,
): Promise<CallToolResult> {
  const args = withList(withoutNulls(given));
  const input = tool.input.safeParse(args);
  if (!input.success) return toolError(inputErrorText(tool, args, input.error.issues));
  try {
    const result = tool.run(args, context);
    return tool.openWorld ? await withDeadline(result) : await result;
  } catch (error) {
    if (error === context.disconnected?.reason) return toolError('The client left.');
    const temporary = temporaryFailure(error);
    if (temporary) return toolError(temporary);
    context.reportError(error);
    return toolError('Something went wrong on our side, and we logged it. Try again in 10 seconds.');
  }
}

/** What to tell the client about a temporary failure; null if the error is unexpected. */
export function temporaryFailure(error: unknown): string | null {
  if (error instanceof Busy)
    return `Too many labels are being opened right now. Try again in ${duration(error.retryAfter)}.`;
  if (error instanceof LongWorkFull)
    return `Too many lists of VINs are waiting. Try again in ${duration(error.retryAfter)}.`;
  // A label whose bytes are missing is a failure of the store too.
  if (error instanceof StoreUnavailable || error instanceof LabelMissing)
    return `${STORE_UNAVAILABLE}. Try again in 10 seconds.`;
  return null;
}

/** Models often send a list as text: as JSON, or as people paste it. */
function withList(args: Record<string, unknown>): Record<string, unknown> {
  const list = typeof args.vins === 'string' ? parsedList(args.vins) : args.vins;
  if (!Array.isArray(list)) return args;
  if (list.length > MAX_SPLIT_ITEMS) return { ...args, vins: list };
  return {
    ...args,
    vins: list.flatMap((item: unknown) => (isText(item) ? splitVins(item) : [item])),
  };
}

/** An empty item of a list stays one, so that the results are those of the items. */
const isText = (item: unknown): item is string => typeof item === 'string' && item.trim() !== '';

/** Far more than any tool takes. Longer lists are refused anyway, and splitting 64 KB takes 15 ms. */
const MAX_SPLIT_ITEMS = 1000;

function parsedList(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // A pasted list.
  }
  return [text];
}

/** Two words of this length are too long to be one VIN with a space in it. */
const MIN_WORD_LENGTH = 11;

/** Splits a pasted list at commas, semicolons, tabs and line breaks, and at spaces between whole VINs; URLs at spaces only. */
function splitVins(list: string): string[] {
  const items = list.split(list.includes('://') ? /[,;]?\s+/ : /[,;\n\t]+/);
  if (items.length > MAX_SPLIT_ITEMS) return items;
  return items
    .map((text) => text.trim())
    .flatMap((text) => {
      const words = text.split(/\s+/);
      return words.every(({ length }) => length >= MIN_WORD_LENGTH) ? words : [text];
    })
    .filter((text) => text !== '');
}

function withDeadline(result: Promise<CallToolResult>): Promise<CallToolResult> {
  let timer: NodeJS.Timeout;
  const timeout = new Promise<CallToolResult>((resolve) => {
    timer = setTimeout(
      () => resolve(toolError('The label is still being fetched. Try again in 5 seconds.')),
      DEADLINE_MS,
    );
  });
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}

function inputErrorText(
  tool: Tool,
  args: Record<string, unknown>,
  issues: readonly z.core.$ZodIssue[],
): string {
  const names = Object.keys(tool.input.shape);
  // A string in place of a list is also too long for it: one message per argument is enough.
  const first = [...Map.groupBy(issues, ({ path }) => path.join('.')).values()].map(([issue]) => issue!);
  const sentences = first.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const keys = issue.keys.slice(0, 3).map((key) => `"${key.slice(0, 40)}"`);
      return `${tool.name} doesn't take ${keys.join(', ')}; it takes ${names.join(', ')}.`;
    }
    const name = issue.path.join('.');
    const count = Array.isArray(args.vins) ? args.vins.length : 0;
    if (issue.code === 'too_big')
      return issue.origin === 'array'
        ? `"${name}" takes at most ${issue.maximum} VINs, got ${count}.`
        : `"${name}" may have at most ${issue.maximum} characters.`;
    if (issue.code === 'too_small') return `"${name}" takes ${issue.minimum} or more VINs, got ${count}.`;
    if (issue.code === 'invalid_value') return `"${name}" must be one of ${issue.values.join(', ')}.`;
    const expected =
      issue.code === 'invalid_type' && issue.expected === 'array' ? 'a list of strings' : 'a string';
    const isMissing = !Object.hasOwn(args, String(issue.path[0]));
    return isMissing ? `"${name}" is missing; it must be ${expected}.` : `"${name}" must be ${expected}.`;
  });
  return sentences.join(' ');
}

/** Faster results stay plain JSON: the first notification turns the response into a stream. */
const PROGRESS_INTERVAL_MS = 1_000;
/** The time limit of a source. */
const TOTAL_SECONDS = 20;

type Caller = Pick<ServerContext['mcpReq'], '_meta' | 'signal' | 'notify'>;

/**
 * Sends a progress notification every second to a client that asked for them. Cancelling rejects at once, but the lookup
 * continues, because other clients may be waiting for it.
 */
export async function withProgress<T>(result: Promise<T>, caller: Caller): Promise<T> {
  const { signal } = caller;
  const progressToken = caller._meta?.progressToken;
  let seconds = 0;
  const timer =
    progressToken === undefined
      ? undefined
      : setInterval(() => {
          seconds++;
          const message = `Waiting for the manufacturer, ${seconds} s.`;
          const params = {
            progressToken,
            progress: seconds,
            total: Math.max(TOTAL_SECONDS, seconds),
            message,
          };
          // The client may have disconnected.
          caller.notify({ method: 'notifications/progress', params }).catch(() => {});
        }, PROGRESS_INTERVAL_MS);
  let stop = () => {};
  const cancelled = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('cancelled'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([result, cancelled]);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  }
}
