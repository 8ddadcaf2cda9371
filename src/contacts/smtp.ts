import { createTransport } from 'nodemailer';
import type { Post } from './notices.ts';

/** One mail server, one connection at a time, every step within a budget. */
export function smtpPost(smtpUrl: string): { post: Post; close(): void } {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 1,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async post(mail) {
      await transport.sendMail(mail);
    },
    close: () => transport.close(),
  };
}
