/**
 * The load generator: raw sockets with keep-alive and without pipelining, in a separate process on its own core. Sends
 * requests to the servers in short turns within one run.
 */
import { connect, type Socket } from 'node:net';
import { cpuNs } from './processes.ts';

export interface LoadPlan {
  servers: { port: number; pid: number }[];
  method: string;
  /** Requested in order, repeatedly. Each server has its own position in the list. */
  paths: string[];
  /** Header lines besides Host and X-Forwarded-For, each with its CRLF. */
  extra: string;
  /** The responses have no body, whatever their Content-Length says. */
  bodyless: boolean;
  status: number;
  connections: number;
  turnMs: number;
  turns: number;
  warmMs: number;
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
const WARM_REQUESTS = 10_000;

// The rate limit stays on: each IP address sends ten requests, then the next one is used.
let lastIp = 0;
function nextIp(): string {
  lastIp = (lastIp + 1) % 0xffffff;
  return `10.${lastIp >> 16}.${(lastIp >> 8) & 255}.${lastIp & 255}`;
}

class Server {
  readonly #plan: LoadPlan;
  readonly #pid: number;
  readonly #connections: Connection[];
  #nextPath = 0;
  #turnEnds = 0;
  #activeConnections = 0;
  #requests = 0;
  #wrong = 0;
  #onTurnEnd: () => void = () => {};

  constructor(plan: LoadPlan, server: { port: number; pid: number }) {
    this.#plan = plan;
    this.#pid = server.pid;
    this.#connections = Array.from(
      { length: plan.connections },
      () => new Connection(server.port, plan, this),
    );
  }

  async turn(ms: number): Promise<Turn> {
    const cpu = cpuNs(this.#pid);
    const from = performance.now();
    this.#turnEnds = from + ms;
    this.#requests = this.#wrong = 0;
    this.#activeConnections = this.#connections.length;
    await new Promise<void>((resolve) => {
      this.#onTurnEnd = resolve;
      for (const connection of this.#connections) connection.send(this.path());
    });
    const wallMs = performance.now() - from;
    return { requests: this.#requests, cpuNs: cpuNs(this.#pid) - cpu, wallMs, wrong: this.#wrong };
  }

  path(): string {
    const path = this.#plan.paths[this.#nextPath]!;
    this.#nextPath = this.#nextPath + 1 === this.#plan.paths.length ? 0 : this.#nextPath + 1;
    return path;
  }

  onResponse(connection: Connection, expected: boolean): void {
    this.#requests++;
    if (!expected) this.#wrong++;
    if (performance.now() < this.#turnEnds) connection.send(this.path());
    else if (--this.#activeConnections === 0) this.#onTurnEnd();
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}

/** The service closes a connection after a thousand requests. */
const REQUESTS_PER_CONNECTION = 900;

class Connection {
  #socket: Socket;
  #requests = 0;
  readonly #port: number;
  readonly #plan: LoadPlan;
  readonly #server: Server;
  readonly #requestStart: string;
  #sentFromIp = 0;
  #ip = nextIp();
  /** Remaining bytes of the body; -1 while reading the header. */
  #remaining = -1;
  #head: Buffer | null = null;
  #expected = false;

  constructor(port: number, plan: LoadPlan, server: Server) {
    this.#plan = plan;
    this.#server = server;
    this.#requestStart = ` HTTP/1.1\r\nHost: localhost\r\n${plan.extra}X-Forwarded-For: `;
    this.#port = port;
    this.#socket = this.#open();
  }

  #open(): Socket {
    const buffer = Buffer.alloc(512 * 1024);
    const socket = connect({
      port: this.#port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer,
        callback: (bytes) => {
          this.#receive(buffer, bytes);
          return true;
        },
      },
    });
    return socket.on('error', (error) => {
      throw error;
    });
  }

  send(path: string): void {
    if (++this.#requests > REQUESTS_PER_CONNECTION) {
      this.#requests = 1;
      this.#socket.end();
      this.#socket = this.#open();
    }
    if (++this.#sentFromIp > 10) {
      this.#sentFromIp = 1;
      this.#ip = nextIp();
    }
    this.#socket.write(`${this.#plan.method} ${path}${this.#requestStart}${this.#ip}\r\n\r\n`, 'latin1');
  }

  #receive(buffer: Buffer, bytes: number): void {
    if (this.#remaining < 0) {
      const received = this.#head
        ? Buffer.concat([this.#head, buffer.subarray(0, bytes)])
        : buffer.subarray(0, bytes);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) {
        this.#head = Buffer.from(received);
        return;
      }
      this.#head = null;
      this.#expected = Number(received.toString('latin1', 9, 12)) === this.#plan.status;
      this.#remaining = this.#bodyLength(received, end) - (received.length - end - 4);
    } else this.#remaining -= bytes;
    if (this.#remaining > 0) return;
    this.#remaining = -1;
    this.#server.onResponse(this, this.#expected);
  }

  #bodyLength(received: Buffer, end: number): number {
    if (this.#plan.bodyless) return 0;
    const start = received.indexOf('ontent-length: ') + 15;
    if (start < 15 || start > end) throw new Error('a response without Content-Length');
    return Number(received.toString('latin1', start, received.indexOf(13, start)));
  }

  close(): void {
    this.#socket.destroy();
  }
}

async function runPlan(plan: LoadPlan): Promise<Turn[][]> {
  const servers = plan.servers.map((server) => new Server(plan, server));
  const turns: Turn[][] = servers.map(() => []);
  // In short rounds, because a bare server closes connections after five idle seconds.
  // On a busy machine, code isn't compiled after a second or two: what counts is how often it ran.
  const sent = servers.map(() => 0);
  for (let warm = 0; warm < plan.warmMs || Math.min(...sent) < WARM_REQUESTS; warm += WARM_ROUND_MS) {
    for (const [index, server] of servers.entries())
      sent[index]! += (await server.turn(WARM_ROUND_MS)).requests;
  }
  for (let turn = 0; turn < plan.turns; turn++) {
    // The order rotates, so that other work on the machine affects all servers.
    for (let position = 0; position < servers.length; position++) {
      const index = (position + turn) % servers.length;
      turns[index]!.push(await servers[index]!.turn(plan.turnMs));
    }
  }
  for (const server of servers) server.close();
  return turns;
}

process.on('message', (plan: LoadPlan) => {
  void runPlan(plan).then((turns) => process.send!(turns));
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
