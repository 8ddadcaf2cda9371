import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Log } from '../lib/log.ts';
import type { Lookup } from '../lookup/find.ts';
import { callTool } from './call.ts';
import { readResource } from './resources.ts';
import type { ToolBackend } from './server.ts';

/** Runs the tools in this process, with a backend for each client. */
export function localBackends(options: {
  lookup: Lookup;
  baseUrl: string;
  log: Log;
}): (client: string) => ToolBackend {
  const { lookup, baseUrl, log } = options;
  const reportError = (error: unknown) =>
    log.error('tool failed', { error: String((error as Error | null)?.stack ?? error) });
  return (client) => {
    const context = { lookup, baseUrl, client, reportError };
    return {
      call: (tool, args) => callTool(tool, args, context),
      async read(uri) {
        try {
          return await readResource(uri, context);
        } catch (error) {
          if (error instanceof ProtocolError) throw error;
          reportError(error);
          throw new ProtocolError(ProtocolErrorCode.InternalError, 'Something went wrong on our side.');
        }
      },
    };
  };
}
