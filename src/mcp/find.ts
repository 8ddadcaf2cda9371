import type { CallToolResult } from '@modelcontextprotocol/server';
import type { LookupResult } from '../lookup/finding.ts';
import { takeVin, fetchLimitError, type ToolContext } from './tool.ts';

/** Assistants time out after about thirty seconds. After this, we say that the label is still being fetched. */
const MAX_WAIT_MS = 18_000;

/** Looks up a VIN for a tool. */
export async function find(
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
