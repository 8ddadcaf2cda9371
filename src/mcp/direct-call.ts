import {
  type classifyInboundRequest,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { ToolBackend } from './backends.ts';
import { findTool } from './call.ts';
import { serverInfo } from './server.ts';
import type { Tool } from './tool.ts';

const REVISION = '2026-07-28';

type Classified = ReturnType<typeof classifyInboundRequest>;

export interface StandardHeaders {
  protocolVersionHeader: string | undefined;
  mcpMethodHeader: string | undefined;
  mcpNameHeader: string | undefined;
}

/** The response's JSON, or null if the SDK must answer. */
export type DirectCall = (
  body: object,
  classified: Classified,
  headers: StandardHeaders,
  clientIp: string,
  disconnected: AbortSignal,
) => Promise<string> | null;

/**
 * Answers ordinary tool calls without the SDK, which would create a server and a transport for each and check the message
 * several times: that takes most of the CPU time of a call. The SDK has classified the message and validated its form and
 * its envelope before, and it answers everything unusual, so that all protocol errors are its own.
 */
export function createDirectCall(
  backendFor: (clientIp: string, disconnected: AbortSignal) => ToolBackend,
  baseUrl: string,
): DirectCall {
  const addedByRevision = { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: serverInfo(baseUrl) } };

  return (body, classified, headers, clientIp, disconnected) => {
    const call = ordinaryCall(body, classified, headers);
    if (!call) return null;
    const added = classified.kind === 'modern' ? addedByRevision : {};
    return backendFor(clientIp, disconnected)
      .call(call.tool, call.args)
      .then((result) => JSON.stringify({ result: { ...result, ...added }, jsonrpc: '2.0', id: call.id }));
  };
}

/** A call of one of our tools that asks for nothing but the result. */
function ordinaryCall(
  body: object,
  classified: Classified,
  headers: StandardHeaders,
): { id: string | number; tool: Tool; args: Record<string, unknown> } | null {
  const { id, method, params } = body as { id: string | number; method: string; params?: CallParams };
  if (method !== 'tools/call' || !params) return null;
  const { name, arguments: args = {}, _meta, ...others } = params;
  const asksForMore = _meta?.progressToken !== undefined || Object.keys(others).length > 0;
  const isRightForRevision =
    isLegacyRequest(classified, headers) || isModernRequest(classified, headers, name);
  const tool = isRightForRevision && !asksForMore && isObject(args) ? findTool(name) : undefined;
  return tool ? { id, tool, args: args as Record<string, unknown> } : null;
}

interface CallParams {
  name: unknown;
  arguments?: unknown;
  _meta?: { progressToken?: unknown };
}

function isLegacyRequest(classified: Classified, { protocolVersionHeader: version }: StandardHeaders) {
  const isRequest = classified.kind === 'legacy' && classified.reason === 'no-claim';
  return isRequest && (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version));
}

/** Since 2026-07-28 the headers repeat the version, the method and the tool. */
function isModernRequest(classified: Classified, headers: StandardHeaders, name: unknown): boolean {
  return (
    classified.kind === 'modern' &&
    classified.messageKind === 'request' &&
    classified.classification.revision === REVISION &&
    headers.protocolVersionHeader === REVISION &&
    headers.mcpMethodHeader === 'tools/call' &&
    headers.mcpNameHeader === name
  );
}

function isObject(value: unknown): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
