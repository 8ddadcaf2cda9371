import type { RequestId } from '@modelcontextprotocol/server';
import { complexityError } from './bounds.ts';

/** What the SDK doesn't answer itself: text that is no JSON-RPC message. */

/** A JSON object that may be a JSON-RPC message. */
export type Message = Record<string, unknown>;

export const NO_MESSAGE = 'This is not a JSON-RPC 2.0 message.';

/** The message in a body, or what is wrong with it. */
export function messageIn(text = ''): { message: Message } | { wrong: string; code: number } {
  const wrong = complexityError(text);
  if (wrong !== null) return { wrong, code: -32600 };
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return { wrong: 'This is not JSON. Send one JSON-RPC 2.0 message.', code: -32700 };
  }
  if (Array.isArray(message))
    return { wrong: "Batches aren't supported. Send one message at a time.", code: -32600 };
  if (message === null || typeof message !== 'object') return { wrong: NO_MESSAGE, code: -32600 };
  return { message: withArguments(message as Message) };
}

/** Models send null for arguments that they leave out, or for all of them. The SDK would answer with a page of JSON. */
function withArguments(message: Message): Message {
  const params = message.params as { arguments?: unknown } | undefined;
  const given = params?.arguments;
  if (given === undefined || typeof given !== 'object' || Array.isArray(given)) return message;
  return { ...message, params: { ...params, arguments: withoutNulls(given ?? {}) } };
}

export const withoutNulls = (values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** The id of a JSON-RPC request; null when it has none. */
export function idOf(message: object): RequestId | null {
  const { id } = message as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

export function errorJson(code: number, message: string, id: RequestId | null = null): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
