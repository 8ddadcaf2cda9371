import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMessage {
  from: string;
  to: string[];
  /** The raw message, headers and body. */
  raw: string;
}

export interface MailServer {
  readonly port: number;
  readonly url: string;
  /** Messages received in full. */
  received: ReceivedMessage[];
  /** Called with each recipient before it is accepted; returns an SMTP error to refuse it with, or null. */
  onRecipient: (address: string) => Promise<SmtpError | null> | SmtpError | null;
  /** Called at the start of each message's data. */
  onMessage: (to: string) => void;
  /** Called after a message is received and before the server replies 250. */
  onReceived: (to: string) => Promise<void>;
  /** Drops every connection and stops listening. */
  kill(): void;
  start(): Promise<void>;
}

export interface SmtpError {
  code: number;
  text: string;
}

/** A real SMTP server on a free port that can be killed and restarted on the same port. */
export async function startMailServer(): Promise<MailServer> {
  let server: SMTPServer | null = null;
  let port = 0;
  const sockets = new Set<Socket>();

  const mail: MailServer = {
    get port() {
      return port;
    },
    get url() {
      return `smtp://127.0.0.1:${port}`;
    },
    received: [],
    onRecipient: () => null,
    onMessage: () => {},
    onReceived: async () => {},
    kill() {
      for (const socket of sockets) socket.destroy();
      server?.close();
      server = null;
    },
    async start() {
      const started = new SMTPServer({
        disabledCommands: ['AUTH', 'STARTTLS'],
        disableReverseLookup: true,
        closeTimeout: 1,
        onRcptTo({ address }, _session, done) {
          void Promise.resolve(mail.onRecipient(address)).then((refusal) =>
            done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code })),
          );
        },
        onData(stream, { envelope }, done) {
          const to = envelope.rcptTo.map(({ address }) => address);
          mail.onMessage(to[0]!);
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('end', () => {
            if (server !== started) return;
            const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
            mail.received.push({ from, to, raw: Buffer.concat(chunks).toString('utf8') });
            void mail.onReceived(to[0]!).then(() => done());
          });
        },
      });
      // Some tests kill the client.
      started.on('error', () => {});
      started.server.on('connection', (socket: Socket) => {
        sockets.add(socket);
        socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      });
      started.listen(port, '127.0.0.1');
      await once(started.server, 'listening');
      port = (started.server.address() as AddressInfo).port;
      server = started;
    },
  };
  await mail.start();
  return mail;
}
