import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import type { Log } from '../lib/log.ts';
import type { LongWork } from '../lib/long-work.ts';
import type { Lookup } from '../lookup/find.ts';
import { callTool, temporaryFailure } from './call.ts';
import { type AttachFile, readResource } from './resources.ts';
import { toolError, type Tool, type ToolContext } from './tool.ts';

/** Where results come from: lookups in this process, or another instance. */
export interface ToolBackend {
  call(tool: Tool, args: Record<string, unknown> | undefined): Promise<CallToolResult>;
  read(uri: string): Promise<ReadResourceResult>;
}

/** Runs the tools in this process, with a backend for each client. */
export function localBackends(options: {
  lookup: Lookup;
  longWork: LongWork;
  baseUrl: string | null;
  status: ToolContext['status'];
  log: Log;
}): (client: string, disconnected?: AbortSignal, attach?: AttachFile) => ToolBackend {
  const { log, ...shared } = options;
  const reportError = (error: unknown) =>
    log.error('tool failed', { error: String((error as Error | null)?.stack ?? error) });
  return (client, disconnected, attach) => {
    const context = { ...shared, client, disconnected, reportError };
    return {
      call: (tool, args) => callTool(tool, args, context),
      async read(uri) {
        try {
          return await readResource(uri, context, attach);
        } catch (error) {
          if (error instanceof ProtocolError) throw error;
          const temporary = temporaryFailure(error);
          if (!temporary) reportError(error);
          const message = temporary ?? 'Something went wrong on our side.';
          throw new ProtocolError(ProtocolErrorCode.InternalError, message);
        }
      },
    };
  };
}

/** Longer than `DEADLINE_MS` in `call.ts`. */
const TIMEOUT_MS = 28_000;
/** Enough for a PDF in base64. */
const MAX_RESPONSE_BYTES = 6 * 1024 * 1024;

interface Reply<T> {
  result?: T;
  error?: { code: number; message: string };
}

/** Forwards calls to another instance's `/mcp`, one message each. */
export function remoteBackend(origin: string): ToolBackend {
  const url = `${origin}/mcp`;
  const unreachable = `The service at ${origin} didn't respond. Try again in 10 seconds.`;

  async function send<T>(method: string, params: Record<string, unknown>): Promise<Reply<T> | null> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2025-11-25',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return response.ok ? (JSON.parse(await readBounded(response)) as Reply<T>) : null;
    } catch {
      return null;
    }
  }

  return {
    async call(tool, args = {}) {
      const reply = await send<CallToolResult>('tools/call', { name: tool.name, arguments: args });
      return reply?.result ?? toolError(reply?.error?.message ?? unreachable);
    },
    async read(uri) {
      const reply = await send<ReadResourceResult>('resources/read', { uri });
      if (reply?.result) return reply.result;
      const { code = ProtocolErrorCode.InternalError, message = unreachable } = reply?.error ?? {};
      throw new ProtocolError(code, message);
    },
  };
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
