import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Mail } from './mail.ts';
import type { SendOutcome } from './notices.ts';

/**
 * The socket timeout is what RFC 5321 (4.5.3.2.6) grants a server between the end of a message and its reply. With a
 * shorter one we would send messages twice that the server has accepted.
 */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10 * 60_000 };

/**
 * Sends one message at a time over one connection to the mail server, with a timeout for each step. Uses the SMTP connection
 * directly, because nodemailer's transports retry on their own and report a reply late. We must record what was sent before
 * anything else happens.
 */
export function openMailer(smtpUrl: string) {
  const options = { ...TIMEOUTS, ...createTransport(smtpUrl).options };
  let open: SMTPConnection | null = null;

  async function connect(): Promise<SMTPConnection> {
    if (open) return open;
    const connection = new SMTPConnection(options);
    const onEnd = () => {
      if (open === connection) open = null;
    };
    connection.on('error', onEnd);
    connection.on('end', onEnd);
    try {
      await during(connection, (done) => connection.connect(done));
      const { auth } = options;
      if (auth) await during(connection, (done) => connection.login(auth, done));
    } catch (error) {
      connection.close();
      throw error;
    }
    open = connection;
    return connection;
  }

  return {
    /**
     * Calls `beforeEnd` when all of the message except its end has been sent; the server discards a message without its end.
     * `beforeEnd` first records that the message is being sent. If it returns false, the end is not sent.
     */
    async send(mail: Mail, beforeEnd: () => Promise<boolean>): Promise<SendOutcome> {
      const message = await encode(mail);
      let withheld = false;
      try {
        const connection = await connect();
        const bytes = Readable.from(
          withConfirmedEnd(message.bytes, async () => {
            // The kernel takes a notice, which has a few KB, in this turn, and delivers it even if this process is killed.
            await nextTurn();
            withheld = !(await beforeEnd());
            if (withheld) throw new Error('The end of the message is withheld.');
          }),
        );
        await during(connection, (done) => connection.send(message.envelope, bytes, done));
        return { kind: 'sent' };
      } catch (error) {
        open?.close();
        open = null;
        return withheld ? { kind: 'withheld' } : outcomeOf(error as SmtpError);
      }
    },
    close(): void {
      open?.quit();
      open = null;
    },
  };
}

/** The connection writes the final dot when this generator ends, and buffers nothing else. */
async function* withConfirmedEnd(bytes: Buffer, end: () => Promise<void>) {
  yield bytes;
  await end();
}

/** Runs one step of the SMTP conversation. Rejects if the connection ends, even if the step doesn't notice. */
function during(connection: SMTPConnection, step: (done: (error?: Error | null) => void) => void) {
  return new Promise<void>((resolve, reject) => {
    const end = () => reject(new Error('The mail server closed the connection.'));
    connection.once('error', reject).once('end', end);
    step((error) => {
      connection.off('error', reject).off('end', end);
      if (error) reject(error);
      else resolve();
    });
  });
}

async function encode({ to, ...mail }: Mail) {
  // As an object, so that it can't be parsed as a list or as a name.
  const message = new MailComposer({ ...mail, to: { name: '', address: to } }).compile();
  const { from } = message.getEnvelope();
  return { envelope: { from, to: [to] }, bytes: await message.build() };
}

type SmtpError = Error & { code?: string; command?: string; responseCode?: number };

/** Classifies an error: it concerns this recipient, the mail server temporarily, or our settings. */
function outcomeOf(error: SmtpError): SendOutcome {
  const why = error.message;
  const { code, command, responseCode = 0 } = error;
  const isPermanent = responseCode >= 500 && responseCode < 600;
  if (responseCode === 421) return { kind: 'down', why };
  if (command === 'RCPT TO' || command === 'DATA') {
    if (isPermanent) return { kind: 'bounced', why };
    return responseCode >= 400 ? { kind: 'later', why } : { kind: 'down', why };
  }
  if (code === 'EENVELOPE' && command === 'API') return { kind: 'bounced', why };
  return isPermanent || code === 'ETLS' ? { kind: 'refused', why } : { kind: 'down', why };
}
