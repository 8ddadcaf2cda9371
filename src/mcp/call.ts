import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { Busy } from '../lookup/derived-cache.ts';
import { toolError, type Tool, type ToolParts } from './tool.ts';
import { tools } from './tools.ts';

/** Longer than a lookup waits for a manufacturer, shorter than assistants wait for us. */
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

export interface Failing {
  /** Logs an unexpected error. The client only learns that there was one. */
  failed(error: unknown): void;
}

/** Runs a tool. Always returns a result within the deadline, and never passes on the text of an error. */
export async function callTool(
  tool: Tool,
  args: Record<string, unknown> = {},
  parts: ToolParts & Failing,
): Promise<CallToolResult> {
  const input = tool.input.safeParse(args);
  if (!input.success) return toolError(wrongInput(tool, input.error.issues));
  try {
    const answer = tool.run(args, parts);
    return tool.openWorld ? await inTime(answer) : await answer;
  } catch (error) {
    if (error instanceof Busy)
      return toolError(
        `Too many labels are being opened just now. Ask again in ${error.retryAfter} seconds.`,
      );
    parts.failed(error);
    return toolError('Something went wrong on our side and has been recorded. Ask again in 10 seconds.');
  }
}

function inTime(answer: Promise<CallToolResult>): Promise<CallToolResult> {
  let timer: NodeJS.Timeout;
  const late = new Promise<CallToolResult>((resolve) => {
    timer = setTimeout(
      () => resolve(toolError('The label is still being fetched. Ask again in 5 seconds.')),
      DEADLINE_MS,
    );
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

function wrongInput(tool: Tool, issues: readonly z.core.$ZodIssue[]): string {
  const known = Object.keys(tool.input.shape);
  const sentences = issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const keys = issue.keys.slice(0, 3).map((key) => `"${key.slice(0, 40)}"`);
      return `${tool.name} takes no ${keys.join(', ')}; it takes ${known.join(', ')}.`;
    }
    const name = issue.path.join('.');
    if (issue.code === 'too_big')
      return `"${name}" may have at most ${issue.maximum} ${issue.origin === 'array' ? 'items' : 'characters'}.`;
    if (issue.code === 'too_small') return `"${name}" needs at least ${issue.minimum} item.`;
    if (issue.code === 'invalid_value') return `"${name}" must be one of ${issue.values.join(', ')}.`;
    const wanted = issue.code === 'invalid_type' && issue.expected === 'array' ? 'a list of texts' : 'text';
    return `Give "${name}" as ${wanted}.`;
  });
  return sentences.join(' ');
}
