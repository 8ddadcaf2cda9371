import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Service } from './service.ts';

/** A minimal `/mcp` client that sends one message per request, in either protocol era. */

export const ERAS = ['2026-07-28', '2025-11-25'] as const;
type Era = (typeof ERAS)[number];

export interface Reply<T = Record<string, unknown>> {
  jsonrpc: '2.0';
  id: number | null;
  result?: T;
  error?: { code: number; message: string; data?: unknown };
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface Extra {
  headers?: Record<string, string>;
  query?: string;
}

export function post(
  service: Service,
  body: unknown,
  { headers, query = '' }: Extra = {},
): Promise<Response> {
  return service.get(`/mcp${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export function message(era: Era, method: string, params: Record<string, unknown> = {}) {
  const isModern = era === '2026-07-28';
  const nameOrUri = params.name ?? params.uri;
  return {
    headers: {
      'MCP-Protocol-Version': era,
      ...(isModern ? { 'Mcp-Method': method } : {}),
      ...(isModern && typeof nameOrUri === 'string' ? { 'Mcp-Name': nameOrUri } : {}),
    },
    body: { jsonrpc: '2.0', id: 7, method, params: isModern ? { ...params, _meta: META } : params },
  };
}

/** Sends one request in the format of its era and returns the HTTP response. */
export function send(
  service: Service,
  era: Era,
  method: string,
  params?: Record<string, unknown>,
  extra: Extra = {},
): Promise<Response> {
  const { headers, body } = message(era, method, params);
  return post(service, body, { ...extra, headers: { ...headers, ...extra.headers } });
}

export async function request<T>(
  service: Service,
  era: Era,
  method: string,
  params?: Record<string, unknown>,
  extra?: Extra,
): Promise<Reply<T>> {
  return (await (await send(service, era, method, params, extra)).json()) as Reply<T>;
}

export interface ToolCallResult {
  content: CallToolResult['content'];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** Calls a tool. Throws on a protocol error. */
export async function call(
  service: Service,
  name: string,
  args: Record<string, unknown>,
  era: Era = '2026-07-28',
  extra?: Extra,
): Promise<ToolCallResult> {
  const { result, error } = await request<ToolCallResult>(
    service,
    era,
    'tools/call',
    { name, arguments: args },
    extra,
  );
  if (!result) throw new Error(`${error?.code}: ${error?.message}`);
  return result;
}

export function textOf({ content }: ToolCallResult): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

export async function assertError(response: Response, status: number, code: number): Promise<void> {
  assert.equal(response.status, status);
  const body = (await response.json()) as Reply;
  assert.deepEqual([body.jsonrpc, body.id, body.error?.code], ['2.0', null, code]);
}
