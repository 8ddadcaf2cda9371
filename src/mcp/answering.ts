import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Log } from '../lib/log.ts';
import type { Lookup } from '../lookup/find.ts';
import { callTool, type Failing } from './call.ts';
import { readResource } from './resources.ts';
import type { Answering } from './server.ts';
import type { ToolParts } from './tool.ts';

function answerHere(parts: ToolParts & Failing): Answering {
  return {
    call: (tool, args) => callTool(tool, args, parts),
    async read(uri) {
      try {
        return await readResource(uri, parts);
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        parts.failed(error);
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'Something went wrong on our side.');
      }
    },
  };
}

/** Answers from this program's own lookups, for one client. */
export function answeringHere(parts: {
  lookup: Lookup;
  baseUrl: string;
  log: Log;
}): (client: string) => Answering {
  const { lookup, baseUrl, log } = parts;
  const failed = (error: unknown) =>
    log.error('tool failed', { error: String((error as Error | null)?.stack ?? error) });
  return (client) => answerHere({ lookup, baseUrl, client, failed });
}
