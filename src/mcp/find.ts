import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Found } from '../lookup/finding.ts';
import { andThen, type Soon } from '../lib/soon.ts';
import { takeVin, tooOften, type ToolParts } from './tool.ts';

/** Assistants give up at about thirty seconds; past this we say that the fetching goes on. */
const PATIENCE_MS = 18_000;

/** Looks a VIN up for a tool. What is held already costs the caller nothing of its own limit. */
export function find(value: unknown, parts: ToolParts): Soon<{ found: Found } | { error: CallToolResult }> {
  const taken = takeVin(value);
  if ('error' in taken) return taken;
  const { vin } = taken;
  return andThen(
    parts.lookup.find(vin, { sticker: false }),
    (known): Soon<{ found: Found } | { error: CallToolResult }> => {
      if (known.finding.state !== 'unasked') return { found: known };
      // A specimen is answered without asking anyone.
      const may = known.specimen || parts.mayAsk(vin);
      if (may !== true) return { error: tooOften(may.inSeconds) };
      return andThen(parts.lookup.find(vin, { sticker: true, patienceMs: PATIENCE_MS }), (found) => ({
        found,
      }));
    },
  );
}
