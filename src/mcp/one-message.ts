import {
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server';
import { idOf, rpcError, type RpcAnswer } from './rpc-answer.ts';

/**
 * One message of a client that speaks a revision before 2026-07-28, answered on its own: no session, no stream, plain JSON.
 * `version` is what the client's MCP-Protocol-Version header says; clients older than the header send none.
 */
export async function answerOne(
  body: object,
  version: string | undefined,
  createServer: () => Server,
): Promise<RpcAnswer> {
  let message: JSONRPCMessage;
  try {
    message = parseJSONRPCMessage(body);
  } catch {
    return rpcError(400, -32600, 'This is not a JSON-RPC 2.0 message.', { id: idOf(body) });
  }
  if (
    version !== undefined &&
    !SUPPORTED_PROTOCOL_VERSIONS.includes(version) &&
    !isInitializeRequest(message)
  ) {
    const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    const said = `Unsupported protocol version. Supported: ${known} and 2026-07-28.`;
    return rpcError(400, -32000, said, { id: idOf(body) });
  }
  // Nothing is remembered between messages, so notifications and replies have nobody to reach.
  if (!isJSONRPCRequest(message)) return { status: 202, body: null };
  const server = createServer();
  try {
    const reply = await new Promise<JSONRPCMessage>((resolve, reject) => {
      const transport = oneReply(resolve);
      server.connect(transport).then(() => transport.onmessage?.(message), reject);
    });
    return { status: 200, body: JSON.stringify(reply) };
  } finally {
    void server.close();
  }
}

/** What the SDK talks to: hears one request, hands on the one reply. */
function oneReply(reply: (message: JSONRPCMessage) => void): Transport {
  const transport: Transport = {
    start: async () => {},
    // A progress or log notification before the reply would need a stream; there is none.
    send: async (message) => {
      if ('result' in message || 'error' in message) reply(message);
    },
    close: async () => transport.onclose?.(),
  };
  return transport;
}
