/**
 * The program in the MCPB bundle: carries messages between an assistant's standard input and output and a service's
 * `/mcp`. It has no dependencies and runs on the Node that desktop assistants bring along (20.3 and later).
 */
import { createInterface } from 'node:readline';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** Above the 24 seconds within which the service answers. */
const BUDGET_MS = 30_000;

const given = process.env.MONRONEY_URL ?? '';
let url;
try {
  url = new URL(`${given.trim().replace(/\/(mcp\/?)?$/, '')}/mcp`);
} catch {
  process.stderr.write(`"${given}" is not the address of a service. Set it in the extension's settings.\n`);
  process.exit(2);
}
const contact = process.env.MONRONEY_CONTACT?.trim();

/** What the last `initialize` agreed on, for clients that name it only there. */
let agreed;
/** Requests under way by their id, so that a cancelled one is not waited for. */
const waiting = new Map();

const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const fail = (id, code, message) => send({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

/** The messages of a response: one as JSON, or several as server-sent events. */
async function* messagesOf(response) {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text();
    if (text) yield JSON.parse(text);
    return;
  }
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const data = event.split('\n').filter((line) => line.startsWith('data:'));
      if (data.length > 0) yield JSON.parse(data.map((line) => line.slice(5)).join('\n'));
    }
  }
}

async function carry(message) {
  const { id, method, params } = message;
  if (method === 'notifications/cancelled') waiting.get(params?.requestId)?.abort();
  if (id === undefined || method === undefined) return;
  const version = params?._meta?.[VERSION];
  const stop = new AbortController();
  waiting.set(id, stop);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(version
          ? { 'MCP-Protocol-Version': version, 'Mcp-Method': method }
          : agreed && method !== 'initialize'
            ? { 'MCP-Protocol-Version': agreed }
            : {}),
        ...(version && (params.name ?? params.uri) ? { 'Mcp-Name': params.name ?? params.uri } : {}),
        ...(contact ? { 'X-Contact': contact } : {}),
      },
      body: JSON.stringify(message),
      redirect: 'error',
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(BUDGET_MS)]),
    });
    let answered = false;
    for await (const reply of messagesOf(response)) {
      if (method === 'initialize') agreed = reply.result?.protocolVersion ?? agreed;
      answered ||= 'result' in reply || 'error' in reply;
      send('error' in reply ? { ...reply, id } : reply);
    }
    if (!answered) fail(id, -32603, `The service answered ${response.status} without a message.`);
  } catch {
    if (!stop.signal.aborted) fail(id, -32603, `The service at ${url.origin} did not answer. Try again.`);
  } finally {
    waiting.delete(id);
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() === '') return;
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return fail(null, -32700, 'The line is not JSON.');
  }
  if (message === null || typeof message !== 'object' || Array.isArray(message))
    return fail(null, -32600, 'This is not a JSON-RPC 2.0 message.');
  void carry(message);
});
