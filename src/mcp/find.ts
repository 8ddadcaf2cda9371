import type { CallToolResult } from '@modelcontextprotocol/server';
import type { LookupResult } from '../lookup/finding.ts';
import { takeVin, tooOften, type ToolParts } from './tool.ts';

/** Assistants time out after about thirty seconds. After this, we say that the label is still being fetched. */
const PATIENCE_MS = 18_000;

/** Looks a VIN up for a tool. */
export async function find(
  value: unknown,
  parts: ToolParts,
): Promise<{ found: LookupResult } | { error: CallToolResult }> {
  const taken = takeVin(value, parts.lookup);
  if ('error' in taken) return taken;
  const { client } = parts;
  const found = await parts.lookup.find(taken.vin, { sticker: true, patienceMs: PATIENCE_MS, client });
  const { finding } = found;
  return finding.state === 'limited' ? { error: tooOften(finding.retryAfter) } : { found };
}
