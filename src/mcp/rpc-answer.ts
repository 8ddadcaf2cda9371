import type { RequestId } from '@modelcontextprotocol/server';

/** The HTTP response: JSON text, server-sent events, or nothing. */
export interface RpcAnswer {
  status: number;
  body: string | AsyncIterable<string | Uint8Array> | null;
  headers?: Record<string, string>;
}

export function rpcError(
  status: number,
  code: number,
  message: string,
  more: { id?: RequestId | null; headers?: Record<string, string> } = {},
): RpcAnswer & { body: string } {
  const { id = null, headers } = more;
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }), headers };
}

/** The id of the request that an error belongs to; null when it has none. */
export function idOf(body: object): RequestId | null {
  const { id } = body as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
