import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Log } from './log.ts';
import { createFailureLog } from './failure-log.ts';

/** OpenTelemetry spans, sent as OTLP over HTTP in JSON. Route templates only: no VIN, no IP address, no query. */
export interface Traces {
  /** Does the work of a request, so that spans within it know whose they are. */
  within<T>(req: IncomingMessage, work: () => T): T;
  /** Ends the span of a request. */
  answered(req: IncomingMessage, route: string, status: number, ms: number): void;
  /** A span around some work for the current request; `about` tells its attributes from the result. */
  span<T>(name: string, work: () => Promise<T>, about: (result: T) => Attributes): Promise<T>;
  close(): Promise<void>;
}

type Attributes = Readonly<Record<string, string | number>>;

interface Context {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  sampled: boolean;
}

const SEND_MS = 5_000;
/** Spans sent at once, and spans that may wait; what comes then is dropped. */
const BATCH = 512;
const MOST_WAITING = 2048;
const ANSWER_MS = 5_000;
/** Kinds and status of the OTLP protocol. */
const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;

export function openTraces(endpoint: string, log: Log): Traces {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const current = new AsyncLocalStorage<Context>();
  const requests = new WeakMap<IncomingMessage, Context>();
  const tell = createFailureLog(log, 'traces: cannot be sent', 'traces: sent again');
  let waiting: object[] = [];
  let sending: Promise<void> = Promise.resolve();
  const timer = setInterval(send, SEND_MS).unref();

  function add(context: Context, name: string, kind: number, ms: number, about: Attributes, failed: boolean) {
    if (!context.sampled || waiting.length >= MOST_WAITING) return;
    const end = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;
    waiting.push({
      traceId: context.traceId,
      spanId: context.spanId,
      ...(context.parentSpanId ? { parentSpanId: context.parentSpanId } : {}),
      name,
      kind,
      startTimeUnixNano: String(end - BigInt(Math.round(ms * 1e6))),
      endTimeUnixNano: String(end),
      attributes: attributes(about),
      status: failed ? { code: ERROR } : {},
    });
    if (waiting.length === BATCH) send();
  }

  function send(): void {
    if (waiting.length === 0) return;
    const spans = waiting.splice(0, BATCH);
    sending = sending.then(() => post(spans));
  }

  async function post(spans: object[]): Promise<void> {
    const resource = { attributes: attributes({ 'service.name': 'monroney' }) };
    const scopeSpans = [{ scope: { name: 'monroney' }, spans }];
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      await response.arrayBuffer();
      tell(response.ok ? null : `answered ${response.status}`);
    } catch (error) {
      tell((error as Error).message);
    }
  }

  return {
    within(req, work) {
      const context = contextOf(req.headers['traceparent']);
      requests.set(req, context);
      return current.run(context, work);
    },
    answered(req, route, status, ms) {
      const context = requests.get(req);
      if (!context) return;
      const method = req.method ?? '';
      const about = {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
      };
      add(context, `${method} ${route}`, SERVER, ms, about, status >= 500);
    },
    async span(name, work, about) {
      const parent = current.getStore();
      if (!parent) return work();
      const context = { ...parent, spanId: newId(8), parentSpanId: parent.spanId };
      const started = performance.now();
      const result = await current.run(context, work);
      add(context, name, CLIENT, performance.now() - started, about(result), false);
      return result;
    },
    async close() {
      clearInterval(timer);
      while (waiting.length > 0) send();
      await sending;
    },
  };
}

const newId = (bytes: number): string => randomBytes(bytes).toString('hex');

/** Goes on with the caller's trace (W3C Trace Context), or begins one. */
function contextOf(header: string | string[] | undefined): Context {
  const [, traceId, parentSpanId, flags] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(String(header ?? '')) ?? [];
  const spanId = newId(8);
  if (!traceId || !parentSpanId || /^0+$/.test(traceId) || /^0+$/.test(parentSpanId))
    return { traceId: newId(16), spanId, parentSpanId: '', sampled: true };
  return { traceId, spanId, parentSpanId, sampled: (parseInt(flags!, 16) & 1) === 1 };
}

function attributes(values: Attributes): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}
