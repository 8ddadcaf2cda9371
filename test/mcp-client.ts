import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Service } from './service.ts';

/** Speaks to `/mcp` by hand, one message per request, as each of the two protocol eras does. */

export const ERAS = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof ERAS)[number];

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
  const modern = era === '2026-07-28';
  const named = params.name ?? params.uri;
  return {
    headers: {
      'MCP-Protocol-Version': era,
      ...(modern ? { 'Mcp-Method': method } : {}),
      ...(modern && typeof named === 'string' ? { 'Mcp-Name': named } : {}),
    },
    body: { jsonrpc: '2.0', id: 7, method, params: modern ? { ...params, _meta: META } : params },
  };
}

/** One request in the form of its era; the whole HTTP response. */
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

export async function ask<T>(
  service: Service,
  era: Era,
  method: string,
  params?: Record<string, unknown>,
  extra?: Extra,
): Promise<Reply<T>> {
  return (await (await send(service, era, method, params, extra)).json()) as Reply<T>;
}

export interface ToolAnswer {
  content: CallToolResult['content'];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** Calls a tool; fails unless the protocol was content. */
export async function call(
  service: Service,
  name: string,
  args: Record<string, unknown>,
  era: Era = '2026-07-28',
  extra?: Extra,
): Promise<ToolAnswer> {
  const { result, error } = await ask<ToolAnswer>(
    service,
    era,
    'tools/call',
    { name, arguments: args },
    extra,
  );
  if (!result) throw new Error(`${error?.code}: ${error?.message}`);
  return result;
}

export function textOf({ content }: ToolAnswer): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}
