import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import type { ToolBackend } from './server.ts';
import { toolError } from './tool.ts';

/** Longer than the 24 seconds in which a Monroney answers. */
const TIMEOUT_MS = 28_000;
/** Enough for a PDF in base64. */
const MAX_RESPONSE_BYTES = 6 * 1024 * 1024;

interface Reply<T> {
  result?: T;
  error?: { code: number; message: string };
}

/** Forwards calls to another Monroney's `/mcp`, one message each. */
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
