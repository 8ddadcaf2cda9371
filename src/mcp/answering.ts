import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { callTool, type Failing } from './call.ts';
import { readResource } from './resources.ts';
import type { Answering } from './server.ts';
import type { ToolParts } from './tool.ts';

/** Answers from this program's own lookups. */
export function answerHere(parts: ToolParts & Failing): Answering {
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
