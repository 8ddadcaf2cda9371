import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Found } from '../finding.ts';
import { PATIENCE_MS, takeVin, tooOften, type ToolParts } from './tool.ts';

/** Looks a VIN up for a tool. What is known already costs the caller nothing of its own limit. */
export async function find(
  value: unknown,
  parts: ToolParts,
): Promise<{ found: Found } | { error: CallToolResult }> {
  const taken = takeVin(value);
  if ('error' in taken) return taken;
  const known = await parts.lookup.find(taken.vin, { sticker: false });
  if (known.finding.state !== 'unasked') return { found: known };
  if (!parts.mayAsk()) return { error: tooOften };
  return { found: await parts.lookup.find(taken.vin, { sticker: true, patienceMs: PATIENCE_MS }) };
}
