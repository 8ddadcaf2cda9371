import type { RequestId } from '@modelcontextprotocol/server';

/** The HTTP response: JSON text, server-sent events, or nothing. */
export interface RpcResponse {
  status: number;
  body: string | AsyncIterable<string | Uint8Array> | null;
  headers?: Record<string, string>;
}

export function rpcError(
  status: number,
  code: number,
  message: string,
  options: { id?: RequestId | null; headers?: Record<string, string> } = {},
): RpcResponse & { body: string } {
  const { id = null, headers } = options;
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }), headers };
}

/** The id of a JSON-RPC request; null when it has none. */
export function idOf(body: object): RequestId | null {
  const { id } = body as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
