/**
 * The load generator: raw sockets with keep-alive and without pipelining, in a separate process on its own core. Sends
 * requests to the servers in short turns within one run.
 */
import { connect } from 'node:net';
import { cpuNs, freshIp } from '../drill/drill.ts';

export interface LoadPlan {
  servers: { port: number; pid: number }[];
  /** With a body, the requests are POSTs. */
  body?: string;
  /** Requested in order, repeatedly. Each server has its own position in the list. */
  paths: string[];
  headers?: Record<string, string>;
  status?: number;
  connections?: number;
  turnMs?: number;
  turns?: number;
  warmMs?: number;
  /** Untimed requests of each server: on a busy machine, what counts is how often code ran. */
  warmRequests?: number;
}

/** One server's turn. */
export interface Turn {
  requests: number;
  cpuNs: number;
  wallMs: number;
  /** Responses with an unexpected status. */
  wrong: number;
}

const WARM_ROUND_MS = 500;
/** The service closes a connection after a thousand requests. */
const REQUESTS_PER_CONNECTION = 900;
/** The rate limit stays on: then the next IP address is used. */
const REQUESTS_PER_IP = 10;

/** A connection that sends one request at a time, and says whether the response had the expected status. */
function openConnection(port: number, plan: LoadPlan) {
  const { status = 200, body = '', headers = {} } = plan;
  const fields = { ...headers, ...(body ? { 'Content-Length': Buffer.byteLength(body) } : {}) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const requestStart = ` HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}X-Forwarded-For: `;
  let head: Buffer | null = null;
  /** Remaining bytes of the body; -1 while reading the header. */
  let remaining = -1;
  let isExpected = false;
  let done: (isExpected: boolean) => void = () => {};
  let sent = 0;
  let ip = '';
  let socket = open();

  function open() {
    const buffer = Buffer.alloc(512 * 1024);
    const onread = {
      buffer,
      callback: (bytes: number) => {
        receive(buffer.subarray(0, bytes));
        return true;
      },
    };
    return connect({ port, host: '127.0.0.1', noDelay: true, onread }).on('error', (error) => {
      throw error;
    });
  }

  function receive(bytes: Buffer): void {
    if (remaining < 0) {
      const received = head ? Buffer.concat([head, bytes]) : bytes;
      const end = received.indexOf('\r\n\r\n');
      head = end < 0 ? Buffer.from(received) : null;
      if (end < 0) return;
      isExpected = Number(received.toString('latin1', 9, 12)) === status;
      remaining = bodyLength(received, end) - (received.length - end - 4);
    } else remaining -= bytes.length;
    if (remaining > 0) return;
    remaining = -1;
    done(isExpected);
  }

  function bodyLength(received: Buffer, end: number): number {
    if (status === 304) return 0;
    const start = received.indexOf('ontent-length: ') + 15;
    if (start < 15 || start > end) throw new Error('a response without Content-Length');
    return Number(received.toString('latin1', start, received.indexOf(13, start)));
  }

  return {
    request(path: string): Promise<boolean> {
      if (sent > 0 && sent % REQUESTS_PER_CONNECTION === 0) {
        socket.end();
        socket = open();
      }
      if (sent++ % REQUESTS_PER_IP === 0) ip = freshIp();
      socket.write(`${body ? 'POST' : 'GET'} ${path}${requestStart}${ip}\r\n\r\n${body}`);
      return new Promise((resolve) => (done = resolve));
    },
    close: () => void socket.destroy(),
  };
}

function openServer(plan: LoadPlan, { port, pid }: { port: number; pid: number }) {
  const connections = Array.from({ length: plan.connections ?? 16 }, () => openConnection(port, plan));
  let nextPath = 0;
  return {
    async turn(ms: number): Promise<Turn> {
      const [cpu, from] = [cpuNs(pid), performance.now()];
      let [requests, wrong] = [0, 0];
      const use = async ({ request }: (typeof connections)[number]) => {
        do {
          requests++;
          if (!(await request(plan.paths[nextPath++ % plan.paths.length]!))) wrong++;
        } while (performance.now() - from < ms);
      };
      await Promise.all(connections.map(use));
      return { requests, cpuNs: cpuNs(pid) - cpu, wallMs: performance.now() - from, wrong };
    },
    close() {
      for (const connection of connections) connection.close();
    },
  };
}

async function runPlan(plan: LoadPlan): Promise<Turn[][]> {
  const { turns = 10, turnMs = 150, warmMs = 2000, warmRequests = 10_000 } = plan;
  const servers = plan.servers.map((server) => openServer(plan, server));
  const measured: Turn[][] = servers.map(() => []);
  const sent = servers.map(() => 0);
  // In short rounds, because a bare server closes connections after five idle seconds.
  for (let warm = 0; warm < warmMs || Math.min(...sent) < warmRequests; warm += WARM_ROUND_MS) {
    for (const [index, server] of servers.entries())
      sent[index]! += (await server.turn(WARM_ROUND_MS)).requests;
  }
  for (let turn = 0; turn < turns; turn++) {
    // The order rotates, so that other work on the machine affects all servers.
    for (let position = 0; position < servers.length; position++) {
      const index = (position + turn) % servers.length;
      measured[index]!.push(await servers[index]!.turn(turnMs));
    }
  }
  for (const server of servers) server.close();
  return measured;
}

process.on('message', (plan: LoadPlan) => {
  void runPlan(plan).then((turns) => process.send!(turns));
});
process.once('disconnect', () => process.exit(0));
