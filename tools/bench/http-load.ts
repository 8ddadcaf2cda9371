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
  /** Header lines besides Host and the forwarding header, each with its line end. */
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

// The rate limit stays on: each IP address sends ten requests, then the next one is used.
let address = 0;
function nextAddress(): string {
  address = (address + 1) % 0xffffff;
  return `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`;
}

class Server {
  readonly #plan: LoadPlan;
  readonly #pid: number;
  readonly #lines: Line[];
  #at = 0;
  #until = 0;
  #busy = 0;
  #requests = 0;
  #wrong = 0;
  #over: () => void = () => {};

  constructor(plan: LoadPlan, server: { port: number; pid: number }) {
    this.#plan = plan;
    this.#pid = server.pid;
    this.#lines = Array.from({ length: plan.connections }, () => new Line(server.port, plan, this));
  }

  async turn(ms: number): Promise<Turn> {
    const cpu = cpuNs(this.#pid);
    const from = performance.now();
    this.#until = from + ms;
    this.#requests = this.#wrong = 0;
    this.#busy = this.#lines.length;
    await new Promise<void>((resolve) => {
      this.#over = resolve;
      for (const line of this.#lines) line.send(this.path());
    });
    const wallMs = performance.now() - from;
    return { requests: this.#requests, cpuNs: cpuNs(this.#pid) - cpu, wallMs, wrong: this.#wrong };
  }

  path(): string {
    const path = this.#plan.paths[this.#at]!;
    this.#at = this.#at + 1 === this.#plan.paths.length ? 0 : this.#at + 1;
    return path;
  }

  answered(line: Line, right: boolean): void {
    this.#requests++;
    if (!right) this.#wrong++;
    if (performance.now() < this.#until) line.send(this.path());
    else if (--this.#busy === 0) this.#over();
  }

  close(): void {
    for (const line of this.#lines) line.close();
  }
}

class Line {
  readonly #socket: Socket;
  readonly #plan: LoadPlan;
  readonly #server: Server;
  readonly #begin: string;
  #asked = 0;
  #address = nextAddress();
  /** Remaining bytes of the body; -1 while reading the header. */
  #left = -1;
  #head: Buffer | null = null;
  #right = false;

  constructor(port: number, plan: LoadPlan, server: Server) {
    this.#plan = plan;
    this.#server = server;
    this.#begin = ` HTTP/1.1\r\nHost: localhost\r\n${plan.extra}X-Forwarded-For: `;
    const buffer = Buffer.alloc(512 * 1024);
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer,
        callback: (bytes) => {
          this.#take(buffer, bytes);
          return true;
        },
      },
    });
    this.#socket.on('error', (error) => {
      throw error;
    });
  }

  send(path: string): void {
    if (++this.#asked > 10) {
      this.#asked = 1;
      this.#address = nextAddress();
    }
    this.#socket.write(`${this.#plan.method} ${path}${this.#begin}${this.#address}\r\n\r\n`, 'latin1');
  }

  #take(buffer: Buffer, bytes: number): void {
    if (this.#left < 0) {
      const received = this.#head
        ? Buffer.concat([this.#head, buffer.subarray(0, bytes)])
        : buffer.subarray(0, bytes);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) {
        this.#head = Buffer.from(received);
        return;
      }
      this.#head = null;
      this.#right = Number(received.toString('latin1', 9, 12)) === this.#plan.status;
      this.#left = this.#bodyOf(received, end) - (received.length - end - 4);
    } else this.#left -= bytes;
    if (this.#left > 0) return;
    this.#left = -1;
    this.#server.answered(this, this.#right);
  }

  #bodyOf(received: Buffer, end: number): number {
    if (this.#plan.bodyless) return 0;
    const at = received.indexOf('Content-Length: ') + 16;
    if (at < 16 || at > end) throw new Error('an answer without Content-Length');
    return Number(received.toString('latin1', at, received.indexOf(13, at)));
  }

  close(): void {
    this.#socket.destroy();
  }
}

async function play(plan: LoadPlan): Promise<Turn[][]> {
  const servers = plan.servers.map((server) => new Server(plan, server));
  const turns: Turn[][] = servers.map(() => []);
  // In short rounds, because a bare server closes connections after five idle seconds.
  for (let warm = 0; warm < plan.warmMs; warm += WARM_ROUND_MS) {
    for (const server of servers) await server.turn(Math.min(WARM_ROUND_MS, plan.warmMs - warm));
  }
  for (let turn = 0; turn < plan.turns; turn++) {
    // The order rotates, so that other work on the machine affects all servers.
    for (let nth = 0; nth < servers.length; nth++) {
      const which = (nth + turn) % servers.length;
      turns[which]!.push(await servers[which]!.turn(plan.turnMs));
    }
  }
  for (const server of servers) server.close();
  return turns;
}

process.on('message', (plan: LoadPlan) => {
  void play(plan).then((turns) => process.send!(turns));
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
