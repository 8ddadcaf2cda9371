import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Log } from '../lib/log.ts';
import type { Lookup } from '../lookup/find.ts';
import { createAskingLimit } from './asking-limit.ts';
import { callTool, type Failing } from './call.ts';
import { readResource } from './resources.ts';
import type { Answering } from './server.ts';
import type { ToolParts } from './tool.ts';

/** An address is known for as long as its askings count, and this. */
const FORGET_MS = 30_000;

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

/** Answers from this program's own lookups, for a caller at an address; callers at the same address share a limit. */
export function answeringHere(parts: {
  lookup: Lookup;
  baseUrl: string;
  log: Log;
}): (address: string) => Answering {
  const { lookup, baseUrl, log } = parts;
  const limit = createAskingLimit(() => performance.now());
  setInterval(() => limit.forget(), FORGET_MS).unref();
  const failed = (error: unknown) =>
    log.error('tool failed', { error: String((error as Error | null)?.stack ?? error) });
  return (address) => answerHere({ lookup, baseUrl, mayAsk: (vin) => limit.take(address, vin), failed });
}
