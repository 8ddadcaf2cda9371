import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Log, createFailureLog } from './log.ts';

/** OpenTelemetry spans, sent as OTLP over HTTP in JSON. Route templates only: no VIN, no IP address, no query. */
export interface Traces {
  /** Handles a request, so that spans within it belong to its trace. */
  within<T>(req: IncomingMessage, work: () => T): T;
  /** Ends the span of a request. */
  endRequestSpan(req: IncomingMessage, route: string, status: number): void;
  /** Adds a span for some work of the current request; `attributesOf` gets the result. */
  span<T>(name: string, work: () => Promise<T>, attributesOf: (result: T) => Attributes): Promise<T>;
  close(): Promise<void>;
}

type Attributes = Readonly<Record<string, string | number>>;

interface Context {
  /** Of `performance.now`, like every time here: two clocks would let a span start before its parent. */
  started: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  sampled: boolean;
}

const SEND_INTERVAL_MS = 5_000;
const BATCH_SPANS = 512;
/** When the queue is full, spans are dropped. */
const MAX_QUEUED_SPANS = 2048;
const TIMEOUT_MS = 5_000;
// OTLP constants.
const SPAN_KIND_SERVER = 2;
const SPAN_KIND_CLIENT = 3;
const STATUS_CODE_ERROR = 2;

export function openTraces(endpoint: string, log: Log): Traces {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const current = new AsyncLocalStorage<Context>();
  const requests = new WeakMap<IncomingMessage, Context>();
  const logState = createFailureLog(log, 'traces: cannot be sent', 'traces: sent again');
  let queue: object[] = [];
  let sending: Promise<boolean> | null = null;
  let isClosing = false;
  const timer = setInterval(send, SEND_INTERVAL_MS).unref();

  function add(context: Context, name: string, kind: number, values: Attributes, failed: boolean) {
    if (!context.sampled || queue.length >= MAX_QUEUED_SPANS) return;
    queue.push({
      traceId: context.traceId,
      spanId: context.spanId,
      ...(context.parentSpanId ? { parentSpanId: context.parentSpanId } : {}),
      name,
      kind,
      startTimeUnixNano: unixNano(context.started),
      endTimeUnixNano: unixNano(performance.now()),
      attributes: attributes(values),
      status: failed ? { code: STATUS_CODE_ERROR } : {},
    });
    if (queue.length >= BATCH_SPANS) send();
  }

  /** One request at a time, so that batches don't pile up if the collector hangs. */
  function send(): void {
    if (sending || queue.length === 0) return;
    sending = post(queue.splice(0, BATCH_SPANS)).finally(() => {
      sending = null;
      if (queue.length >= BATCH_SPANS && !isClosing) send();
    });
  }

  /** Returns whether the collector took them. Never rejects. */
  async function post(spans: object[]): Promise<boolean> {
    const resource = { attributes: attributes({ 'service.name': 'monroney' }) };
    const scopeSpans = [{ scope: { name: 'monroney' }, spans }];
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.arrayBuffer();
      logState(response.ok ? null : `status ${response.status}`);
      return response.ok;
    } catch (error) {
      logState((error as Error).message);
      return false;
    }
  }

  return {
    within(req, work) {
      const context = contextOf(req.headers['traceparent']);
      requests.set(req, context);
      return current.run(context, work);
    },
    endRequestSpan(req, route, status) {
      const context = requests.get(req);
      if (!context) return;
      const method = req.method ?? '';
      const values = {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
      };
      add(context, `${method} ${route}`, SPAN_KIND_SERVER, values, status >= 500);
    },
    async span(name, work, attributesOf) {
      const parent = current.getStore();
      if (!parent) return work();
      const context = {
        ...parent,
        started: performance.now(),
        spanId: newId(8),
        parentSpanId: parent.spanId,
      };
      const result = await current.run(context, work);
      add(context, name, SPAN_KIND_CLIENT, attributesOf(result), false);
      return result;
    },
    async close() {
      clearInterval(timer);
      isClosing = true;
      let works = (await sending) ?? true;
      // After a failure the rest is dropped: each request could take the full timeout.
      while (works && queue.length > 0) works = await post(queue.splice(0, BATCH_SPANS));
    },
  };
}

/** A time of `performance.now` as OTLP wants it. */
const unixNano = (time: number): string =>
  `${BigInt(Math.round((performance.timeOrigin + time) * 1000)) * 1000n}`;

const newId = (bytes: number): string => randomBytes(bytes).toString('hex');

/** Continues the client's trace (W3C Trace Context), or starts one. */
function contextOf(header: string | string[] | undefined): Context {
  const [, traceId, parentSpanId, flags] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(String(header ?? '')) ?? [];
  const [started, spanId] = [performance.now(), newId(8)];
  if (!traceId || !parentSpanId || /^0+$/.test(traceId) || /^0+$/.test(parentSpanId))
    return { started, traceId: newId(16), spanId, parentSpanId: '', sampled: true };
  return { started, traceId, spanId, parentSpanId, sampled: (parseInt(flags!, 16) & 1) === 1 };
}

function attributes(values: Attributes): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}
