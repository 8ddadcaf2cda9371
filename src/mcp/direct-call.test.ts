import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { message, type Era } from '../../test/mcp-client.ts';
import { createDirectCall } from './direct-call.ts';

const called: unknown[] = [];
const directCall = createDirectCall(
  (clientIp) => ({
    call: async (tool, args) => (called.push([clientIp, tool.name, args]), { content: [] }),
    read: () => assert.fail('not a tool call'),
  }),
  'https://example.org',
);

type Change = (body: Body, headers: Record<string, string | undefined>) => void;
interface Body {
  id?: unknown;
  method: string;
  params?: Record<string, unknown> & { _meta?: Record<string, unknown> };
}

/** The response to a call of `decode_vin`, changed by `change`. */
function answer(era: Era, change: Change = () => {}): Promise<string> | null {
  const { body, headers } = structuredClone(
    message(era, 'tools/call', { name: 'decode_vin', arguments: { vin: 'x' } }),
  );
  const sent: Record<string, string | undefined> = headers;
  change(body, sent);
  const standard = {
    protocolVersionHeader: sent['MCP-Protocol-Version'],
    mcpMethodHeader: sent['Mcp-Method'],
    mcpNameHeader: sent['Mcp-Name'],
  };
  const classified = classifyInboundRequest({ httpMethod: 'POST', ...standard, body });
  return directCall(body, classified, standard, '192.0.2.1', new AbortController().signal);
}

test('ordinary tool calls are answered', async () => {
  const older = JSON.parse((await answer('2025-11-25'))!);
  assert.deepEqual(older, { result: { content: [] }, jsonrpc: '2.0', id: 7 });
  const { result } = JSON.parse((await answer('2026-07-28'))!);
  assert.equal(result.resultType, 'complete');
  assert.equal(result._meta['io.modelcontextprotocol/serverInfo'].name, 'monroney');
  const call = ['192.0.2.1', 'decode_vin', { vin: 'x' }];
  assert.deepEqual(called, [call, call]);
  const withoutArguments = await answer('2025-11-25', ({ params }) => delete params!.arguments);
  assert.ok(withoutArguments);
  assert.deepEqual(called.at(-1), ['192.0.2.1', 'decode_vin', {}]);
  const withoutVersion = answer('2025-11-25', (_, headers) => delete headers['MCP-Protocol-Version']);
  assert.ok(await withoutVersion);
});

const unusual: Record<string, Change> = {
  'a notification': (body) => delete body.id,
  'another method': (body) => (body.method = 'tools/list'),
  'no parameters': (body) => delete body.params,
  'an unknown tool': ({ params }, headers) => (headers['Mcp-Name'] = params!.name = 'toString'),
  'a name that is not a string': ({ params }) => (params!.name = 5),
  'arguments that are not an object': ({ params }) => (params!.arguments = ['x']),
  'arguments that are null': ({ params }) => (params!.arguments = null),
  'a request for progress': ({ params }) => (params!._meta = { ...params!._meta, progressToken: 1 }),
  'other parameters': ({ params }) => (params!.requestState = 'x'),
  'an unknown version': (_, headers) => (headers['MCP-Protocol-Version'] = '2024-01-01'),
};
for (const [name, change] of Object.entries(unusual))
  test(`the SDK answers ${name}`, () => {
    assert.equal(answer('2026-07-28', change), null);
    assert.equal(answer('2025-11-25', change), null);
  });

test('the SDK answers calls whose headers are missing or contradict the body', () => {
  for (const header of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']) {
    assert.equal(
      answer('2026-07-28', (_, headers) => delete headers[header]),
      null,
      header,
    );
    assert.equal(
      answer('2026-07-28', (_, headers) => (headers[header] = 'x')),
      null,
      header,
    );
  }
});

test('the SDK answers calls with an invalid envelope', () => {
  for (const key of ['protocolVersion', 'clientInfo', 'clientCapabilities']) {
    const change: Change = ({ params }) => (params!._meta![`io.modelcontextprotocol/${key}`] = 5);
    assert.equal(answer('2026-07-28', change), null, key);
  }
});
