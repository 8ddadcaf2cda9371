/**
 * The program in the MCPB bundle: forwards messages between an assistant's standard input and output and a service's
 * `/mcp`. It has no dependencies and runs on the Node that desktop assistants include (20.3 and later).
 */
import { createInterface } from 'node:readline';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** More than the 24 seconds within which the service responds. */
const TIMEOUT_MS = 30_000;

const configuredUrl = process.env.MONRONEY_URL ?? '';
let url;
try {
  url = new URL(`${configuredUrl.trim().replace(/\/(mcp\/?)?$/, '')}/mcp`);
} catch {
  process.stderr.write(
    `"${configuredUrl}" isn't a valid URL. Set the URL of the service in the extension's settings.\n`,
  );
  process.exit(2);
}
const contact = process.env.MONRONEY_CONTACT?.trim();

/** The protocol version agreed on in the last `initialize`, for clients that state it only there. */
let agreedVersion;
/** Requests in progress by id, so that they can be canceled. */
const inProgress = new Map();

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

async function forward(message) {
  const { id, method, params } = message;
  if (method === 'notifications/cancelled') inProgress.get(params?.requestId)?.abort();
  if (id === undefined || method === undefined) return;
  const version = params?._meta?.[VERSION];
  const cancellation = new AbortController();
  inProgress.set(id, cancellation);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(version
          ? { 'MCP-Protocol-Version': version, 'Mcp-Method': method }
          : agreedVersion && method !== 'initialize'
            ? { 'MCP-Protocol-Version': agreedVersion }
            : {}),
        ...(version && (params.name ?? params.uri) ? { 'Mcp-Name': params.name ?? params.uri } : {}),
        ...(contact ? { 'X-Contact': contact } : {}),
      },
      body: JSON.stringify(message),
      redirect: 'error',
      signal: AbortSignal.any([cancellation.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    let responded = false;
    for await (const reply of messagesOf(response)) {
      if (method === 'initialize') agreedVersion = reply.result?.protocolVersion ?? agreedVersion;
      responded ||= 'result' in reply || 'error' in reply;
      send('error' in reply ? { ...reply, id } : reply);
    }
    if (!responded) fail(id, -32603, `The service returned ${response.status} without a message.`);
  } catch {
    if (!cancellation.signal.aborted)
      fail(id, -32603, `The service at ${url.origin} didn't respond. Try again.`);
  } finally {
    inProgress.delete(id);
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() === '') return;
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return fail(null, -32700, "The line isn't valid JSON.");
  }
  if (message === null || typeof message !== 'object' || Array.isArray(message))
    return fail(null, -32600, "This isn't a JSON-RPC 2.0 message.");
  void forward(message);
});
