import {
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
  type RequestId,
} from '@modelcontextprotocol/server';

/** The HTTP response: JSON text, server-sent events, or nothing. */
export interface RpcResponse {
  status: number;
  body: string | AsyncIterable<string | Uint8Array> | null;
  headers?: Record<string, string>;
  /** Sent in base64 as the `blob` of the body, which is empty there. */
  file?: Buffer;
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

/**
 * Answers one message of a client that uses a revision before 2026-07-28. There is no session, and the response is plain
 * JSON unless there are progress notifications before the reply.
 * `version` is the MCP-Protocol-Version header, which the oldest clients don't send.
 */
export async function answerLegacyMessage(
  body: object,
  version: string | undefined,
  createServer: () => Server,
  disconnected: AbortSignal,
): Promise<RpcResponse> {
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
    const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    const error = `Unsupported protocol version. Supported: ${supported} and 2026-07-28.`;
    return rpcError(400, -32000, error, { id: idOf(body) });
  }
  // There is no session, so notifications and replies have no effect.
  if (!isJSONRPCRequest(message)) return { status: 202, body: null };
  const server = createServer();
  const sent = messageQueue();
  const transport: Transport = {
    start: async () => {},
    send: async (reply) => sent.push(reply),
    close: async () => transport.onclose?.(),
  };
  // Closing the server cancels the handler, whose reply can't be delivered any more.
  disconnected.addEventListener('abort', () => {
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

/** Progress notifications and then the reply, as server-sent events. */
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

/** The SDK checks messages recursively: 45 ms for one with 9,000 levels, and then its stack is full. */
const MAX_DEPTH = 100;
/**
 * The SDK lists everything that is wrong with a message: for 60 KB of zeros where there should be objects, that took 500 ms
 * and 7 MB.
 */
const MAX_COMMAS = 500;

/** Says why JSON text isn't worth parsing; null if it is. */
export function complexityError(json: string): string | null {
  let depth = 0;
  let commas = 0;
  let inString = false;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) inString = !inString;
    else if (inString) {
      if (code === BACKSLASH) index++;
    } else if (code === BRACKET || code === BRACE) {
      if (++depth > MAX_DEPTH) return `A message can be nested at most ${MAX_DEPTH} levels deep.`;
    } else if (code === BRACKET + 2 || code === BRACE + 2) depth--;
    else if (code === COMMA && ++commas > MAX_COMMAS)
      return `A message can have at most ${MAX_COMMAS} values.`;
  }
  return null;
}

const [QUOTE, BACKSLASH, BRACKET, BRACE, COMMA] = [34, 92, 91, 123, 44];
