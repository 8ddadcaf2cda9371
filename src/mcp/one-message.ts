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
 * One message of a client that speaks a revision before 2026-07-28, answered on its own: no session, and plain JSON
 * unless there is progress to tell before the reply.
 * `version` is what the client's MCP-Protocol-Version header says; clients older than the header send none.
 */
export async function answerOne(
  body: object,
  version: string | undefined,
  createServer: () => Server,
  hungUp: AbortSignal,
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
  const sent = messageQueue();
  const transport: Transport = {
    start: async () => {},
    send: async (reply) => sent.push(reply),
    close: async () => transport.onclose?.(),
  };
  // Closing ends the wait of the handler; nobody is there to hear its reply.
  hungUp.addEventListener('abort', () => {
    void server.close();
    sent.end();
  });
  await server.connect(transport);
  transport.onmessage?.(message);
  const first = await sent.next();
  if (first === null || isReply(first)) {
    void server.close();
    return { status: 200, body: first === null ? null : JSON.stringify(first) };
  }
  return { status: 200, body: events(first, sent, () => void server.close()) };
}

const isReply = (message: JSONRPCMessage): boolean => 'result' in message || 'error' in message;

/** Progress, and then the reply, as server-sent events. */
async function* events(first: JSONRPCMessage, sent: MessageQueue, done: () => void): AsyncGenerator<string> {
  try {
    for (let next: JSONRPCMessage | null = first; next !== null; next = await sent.next()) {
      yield `event: message\ndata: ${JSON.stringify(next)}\n\n`;
      if (isReply(next)) return;
    }
  } finally {
    done();
  }
}

interface MessageQueue {
  push(message: JSONRPCMessage): void;
  /** The next message; null after the end. */
  next(): Promise<JSONRPCMessage | null>;
  end(): void;
}

function messageQueue(): MessageQueue {
  const waiting: (JSONRPCMessage | null)[] = [];
  let wake = (): void => {};
  const add = (message: JSONRPCMessage | null) => {
    waiting.push(message);
    wake();
  };
  return {
    push: add,
    end: () => add(null),
    async next() {
      if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return waiting.shift()!;
    },
  };
}
