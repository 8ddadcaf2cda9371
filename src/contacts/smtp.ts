import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import MailComposer from 'nodemailer/lib/mail-composer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Mail } from './mail.ts';
import type { Posted } from './notices.ts';

/** One mail server, one connection, one message at a time, every step within a budget. */
export interface Mailer {
  /**
   * `mayEnd` is asked when all of the message has left but its end, without which the server has nothing. It answers
   * when what is about to happen has been written down, and with false the end is never sent.
   */
  post(mail: Mail, mayEnd: () => Promise<boolean>): Promise<Posted>;
  close(): void;
}

/**
 * The longest silence is what RFC 5321 (4.5.3.2.6) gives a server between the end of a message and its word: whoever is
 * less patient sends twice what the server has taken.
 */
const BUDGETS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10 * 60_000 };

/**
 * Stands directly on the connection, because only there the server's word for a message comes at once and nothing is
 * sent again behind our back: what was sent must be written down before anything else happens.
 */
export function openMailer(smtpUrl: string): Mailer {
  const options = { ...BUDGETS, ...parseConnectionUrl(smtpUrl) };
  let open: SMTPConnection | null = null;

  async function connected(): Promise<SMTPConnection> {
    if (open) return open;
    const connection = new SMTPConnection(options);
    const gone = () => {
      if (open === connection) open = null;
    };
    connection.on('error', gone);
    connection.on('end', gone);
    try {
      await during(connection, (done) => connection.connect((error) => done(error ?? null)));
      const { auth } = options;
      if (auth) await during(connection, (done) => connection.login(auth, (error) => done(error ?? null)));
    } catch (error) {
      connection.close();
      throw error;
    }
    open = connection;
    return connection;
  }

  return {
    async post(mail, mayEnd) {
      const message = await written(mail);
      let withheld = false;
      try {
        const connection = await connected();
        const bytes = Readable.from(
          endingLater(message.bytes, async () => {
            await flushed(connection);
            withheld = !(await mayEnd());
            if (withheld) throw new Error('The end of the message is withheld.');
          }),
        );
        await during(connection, (done) =>
          connection.send(message.envelope, bytes, (error) => done(error ?? null)),
        );
        return { kind: 'sent' };
      } catch (error) {
        open?.close();
        open = null;
        return withheld ? { kind: 'withheld' } : meaningOf(error as SmtpError);
      }
    },
    close() {
      open?.quit();
      open = null;
    },
  };
}

/** The connection writes the final dot when this ends, and holds back nothing else. */
async function* endingLater(bytes: Buffer, end: () => Promise<void>) {
  yield bytes;
  await end();
}

/**
 * Waits until the bytes so far are the kernel's, which delivers them even if this process is killed. `_socket` is the one
 * thing here that nodemailer doesn't document (`lib/*` is in its exports). Without it, or with `NODE_INTERNALS=off`, only
 * the streams before the socket are waited for.
 */
async function flushed({ _socket }: SMTPConnection): Promise<void> {
  await nextTurn();
  if (_socket && process.env.NODE_INTERNALS !== 'off')
    await new Promise<void>((resolve) => _socket.write('', () => resolve()));
}

/** One step of the conversation; it also ends when the connection does, whatever the step itself makes of that. */
function during(connection: SMTPConnection, step: (done: (error: Error | null) => void) => void) {
  return new Promise<void>((resolve, reject) => {
    const end = () => reject(new Error('The mail server hung up.'));
    connection.once('error', reject).once('end', end);
    step((error) => {
      connection.off('error', reject).off('end', end);
      if (error) reject(error);
      else resolve();
    });
  });
}

async function written({ to, ...mail }: Mail) {
  // As an object, so that no part of it is ever read as a list or as a name.
  const message = new MailComposer({ ...mail, to: { name: '', address: to } }).compile();
  const { from } = message.getEnvelope();
  return { envelope: { from, to: [to] }, bytes: await message.build() };
}

type SmtpError = Error & { code?: string; command?: string; responseCode?: number };

/** Whose trouble it is: this recipient's, the mail server's for the moment, or ours until somebody changes a setting. */
function meaningOf(error: SmtpError): Posted {
  const why = error.message;
  const { code, command, responseCode = 0 } = error;
  const forGood = responseCode >= 500 && responseCode < 600;
  if (responseCode === 421) return { kind: 'down', why };
  if (command === 'RCPT TO' || command === 'DATA') {
    if (forGood) return { kind: 'bounced', why };
    return responseCode >= 400 ? { kind: 'later', why } : { kind: 'down', why };
  }
  if (code === 'EENVELOPE' && command === 'API') return { kind: 'bounced', why };
  return forGood || code === 'ETLS' ? { kind: 'refused', why } : { kind: 'down', why };
}
