import { connect } from 'node:net';

/**
 * A small HTTP/1.1 client on a bare socket. It sends exactly the bytes it is given, and depends on no HTTP library: what it
 * records stays comparable whichever server is underneath.
 */

export interface RawResponse {
  /** `200 OK` */
  status: string;
  /** In the order received, names in lower case. */
  headers: [name: string, value: string][];
  /** Without chunks, still in its content coding. */
  body: Buffer;
}

export interface RawExchange {
  /** Status lines of 1xx responses. */
  interim: string[];
  responses: RawResponse[];
  /**
   * Whether the connection can be used for another request, which proves that the last response ended where it said; or
   * what went wrong.
   */
  after: string;
}

export interface RawRequest {
  /** The later parts follow after a `100 Continue`. */
  parts: readonly (string | Buffer)[];
  /** Of each request in the bytes, in order. */
  methods: readonly string[];
}

const PROBE = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

export async function exchange(port: number, request: RawRequest): Promise<RawExchange> {
  const connection = open(port);
  const interim: string[] = [];
  const responses: RawResponse[] = [];
  try {
    const isComplete = await readResponses(connection, request, interim, responses);
    const after = isComplete ? await stateAfter(connection, responses.at(-1)!) : 'closed';
    return { interim, responses, after };
  } catch (error) {
    return { interim, responses, after: `failed: ${(error as Error).message}` };
  } finally {
    connection.close();
  }
}

/** False if the connection was closed before all responses came. */
async function readResponses(
  connection: Connection,
  { parts, methods }: RawRequest,
  interim: string[],
  responses: RawResponse[],
): Promise<boolean> {
  const [first = '', ...later] = parts;
  connection.write(first);
  while (responses.length < methods.length) {
    const response = await readResponse(connection, methods[responses.length]!);
    if (response === null) return false;
    if (!/^1\d\d /.test(response.status)) responses.push(response);
    else {
      interim.push(response.status);
      connection.write(later.shift() ?? '');
    }
  }
  return true;
}

async function stateAfter(connection: Connection, last: RawResponse): Promise<string> {
  if (valueOf(last, 'connection')?.toLowerCase() === 'close') {
    while (await connection.more());
    return connection.unread().length === 0 ? 'closed' : fail('bytes after the last response');
  }
  connection.write(PROBE);
  return (await readResponse(connection, 'GET')) === null ? 'closed' : 'open';
}

export const valueOf = ({ headers }: RawResponse, name: string): string | undefined =>
  headers.find(([given]) => given === name)?.[1];

function fail(what: string): never {
  throw new Error(what);
}

interface Connection {
  write(bytes: string | Buffer): void;
  /** Waits for more bytes. False when there are none to come. */
  more(): Promise<boolean>;
  unread(): Buffer;
  consume(bytes: number): Buffer;
  close(): void;
}

function open(port: number): Connection {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let unread: Buffer = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  const end = () => {
    ended = true;
    wake();
  };
  // A server that refuses a request may reset the connection while we still write.
  socket.on('error', end).on('close', end).on('end', end);
  socket.on('data', (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    wake();
  });
  return {
    write: (bytes) => void (ended || socket.write(bytes)),
    async more() {
      const before = unread.length;
      if (!ended)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return unread.length > before;
    },
    unread: () => unread,
    consume(bytes) {
      const taken = unread.subarray(0, bytes);
      unread = unread.subarray(bytes);
      return taken;
    },
    close: () => void socket.destroy(),
  };
}

/** The next response. Null when the connection was closed instead. */
async function readResponse(connection: Connection, method: string): Promise<RawResponse | null> {
  const head = await readUntil(connection, '\r\n\r\n');
  if (head === null) return null;
  const [statusLine = '', ...lines] = head.toString('latin1').slice(0, -4).split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3} .*)$/.exec(statusLine) ?? fail(`not a status line: ${statusLine}`);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const response: RawResponse = { status: status!, headers, body: Buffer.alloc(0) };
  if (method !== 'HEAD' && !/^(1\d\d|204|304) /.test(status!))
    response.body = await readBody(connection, response);
  return response;
}

async function readBody(connection: Connection, response: RawResponse): Promise<Buffer> {
  if (valueOf(response, 'transfer-encoding') === 'chunked') return readChunks(connection);
  const length = valueOf(response, 'content-length');
  if (length !== undefined) return readBytes(connection, Number(length));
  if (valueOf(response, 'connection')?.toLowerCase() !== 'close') fail('the body has no end');
  while (await connection.more());
  return connection.consume(connection.unread().length);
}

async function readChunks(connection: Connection): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (;;) {
    const line = await readUntil(connection, '\r\n');
    const size = parseInt(line?.toString('latin1') ?? fail('the body broke off'), 16);
    chunks.push(await readBytes(connection, size));
    await readBytes(connection, 2);
    if (size === 0) return Buffer.concat(chunks);
  }
}

async function readBytes(connection: Connection, count: number): Promise<Buffer> {
  while (connection.unread().length < count) if (!(await connection.more())) fail('the body broke off');
  return connection.consume(count);
}

async function readUntil(connection: Connection, end: string): Promise<Buffer | null> {
  for (;;) {
    const at = connection.unread().indexOf(end);
    if (at >= 0) return connection.consume(at + end.length);
    if (await connection.more()) continue;
    return connection.unread().length === 0 ? null : fail('the response broke off');
  }
}
