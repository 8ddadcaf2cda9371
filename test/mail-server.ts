import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Taken {
  from: string;
  to: string[];
  /** The message as it came, head and body. */
  raw: string;
}

export interface MailServer {
  readonly port: number;
  readonly url: string;
  /** Messages it has all of, and says 250 to. */
  taken: Taken[];
  /** Called with each recipient before it is accepted; answers an SMTP error to refuse with, or null. */
  onRecipient: (address: string) => Promise<SmtpError | null> | SmtpError | null;
  /** Called in the middle of each message. */
  onMessage: (to: string) => void;
  /** Called between having a message and saying 250 to it. */
  onTaken: (to: string) => Promise<void>;
  /** Cuts every connection at once and listens no more. */
  kill(): void;
  start(): Promise<void>;
}

export interface SmtpError {
  code: number;
  text: string;
}

/** A real mail server on a free port, that can be killed in the middle and started again where it was. */
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
    taken: [],
    onRecipient: () => null,
    onMessage: () => {},
    onTaken: async () => {},
    kill() {
      for (const socket of sockets) socket.destroy();
      server?.close();
      server = null;
    },
    async start() {
      const fresh = new SMTPServer({
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
          const pieces: Buffer[] = [];
          stream.on('data', (piece: Buffer) => pieces.push(piece));
          stream.on('end', () => {
            if (server !== fresh) return;
            const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
            mail.taken.push({ from, to, raw: Buffer.concat(pieces).toString('utf8') });
            void mail.onTaken(to[0]!).then(() => done());
          });
        },
      });
      // Killed clients are part of the tests.
      fresh.on('error', () => {});
      fresh.server.on('connection', (socket: Socket) => {
        sockets.add(socket);
        socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      });
      fresh.listen(port, '127.0.0.1');
      await once(fresh.server, 'listening');
      port = (fresh.server.address() as AddressInfo).port;
      server = fresh;
    },
  };
  await mail.start();
  return mail;
}
