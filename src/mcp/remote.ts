import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import type { Answering } from './server.ts';
import { toolError } from './tool.ts';

/** Above the 24 seconds within which a Monroney answers. */
const BUDGET_MS = 28_000;
/** A PDF as a resource, in base64. */
const MOST_BYTES = 6 * 1024 * 1024;

interface Reply<T> {
  result?: T;
  error?: { code: number; message: string };
}

/** Answers by asking another Monroney's `/mcp`, one message per question. */
export function answerFrom(origin: string, contact: string | null = null): Answering {
  const url = `${origin}/mcp`;
  const unreachable = `The service at ${origin} did not answer. Ask again in 10 seconds.`;

  async function ask<T>(method: string, params: Record<string, unknown>): Promise<Reply<T> | null> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2025-11-25',
          ...(contact ? { 'X-Contact': contact } : {}),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        redirect: 'error',
        signal: AbortSignal.timeout(BUDGET_MS),
      });
      return response.ok ? (JSON.parse(await bounded(response)) as Reply<T>) : null;
    } catch {
      return null;
    }
  }

  return {
    async call(tool, args = {}) {
      const reply = await ask<CallToolResult>('tools/call', { name: tool.name, arguments: args });
      return reply?.result ?? toolError(reply?.error?.message ?? unreachable);
    },
    async read(uri) {
      const reply = await ask<ReadResourceResult>('resources/read', { uri });
      if (reply?.result) return reply.result;
      const { code = ProtocolErrorCode.InternalError, message = unreachable } = reply?.error ?? {};
      throw new ProtocolError(code, message);
    },
  };
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
