/** What goes back over HTTP: JSON text, or nothing. */
export interface RpcAnswer {
  status: number;
  body: string | null;
  headers?: Record<string, string>;
}

export function rpcError(
  status: number,
  code: number,
  message: string,
  headers?: Record<string, string>,
): RpcAnswer {
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }), headers };
}
