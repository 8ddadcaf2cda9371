import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { Mail } from './mail.ts';
import { openMailer } from './smtp.ts';

const END = '\r\n.\r\n';
const mail: Mail = {
  from: 'a@labels.example',
  to: 'dev@example.org',
  subject: 'x',
  text: 'Short.',
  html: '<p>Last line.</p>',
  messageId: '<1@labels.example>',
  headers: {},
};

/** A mail server that says yes to everything and lets us see what it has of the message. */
async function listening(t: TestContext) {
  const seen = { message: '', sockets: [] as Socket[] };
  const server = createServer((socket) => {
    seen.sockets.push(socket);
    let inMessage = false;
    let tail = '';
    socket.write('220 here\r\n');
    socket
      .on('error', () => {})
      .on('data', (bytes: Buffer) => {
        const text = bytes.toString();
        if (inMessage) {
          seen.message += text;
          tail = (tail + text).slice(-END.length);
          if (tail === END) socket.write('250 taken\r\n');
        } else {
          inMessage = text === 'DATA\r\n';
          socket.write(inMessage ? '354 go on\r\n' : '250 yes\r\n');
        }
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const mailer = openMailer(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.after(() => {
    mailer.close();
    for (const socket of seen.sockets) socket.destroy();
    server.close();
  });
  return { seen, mailer };
}

/** The test's own time limit ends it if that never comes. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('the server has all of a message but its end when we are asked, and the end only after our yes', async (t) => {
  const { seen, mailer } = await listening(t);
  let before = '';
  const posted = await mailer.post(mail, async () => {
    await until(() => /Last line\.<\/p>[\s\S]*--\r\n$/.test(seen.message));
    before = seen.message;
    return true;
  });
  assert.deepEqual(posted, { kind: 'sent' });
  assert.ok(!before.includes(END));
  assert.equal(seen.message, `${before}.\r\n`);
});

test('without our yes the end is never sent, and the next message goes over a new connection', async (t) => {
  const { seen, mailer } = await listening(t);
  assert.deepEqual(await mailer.post(mail, async () => false), { kind: 'withheld' });
  await once(seen.sockets[0]!, 'close');
  assert.ok(!seen.message.includes(END));
  seen.message = '';
  assert.deepEqual(await mailer.post(mail, async () => true), { kind: 'sent' });
  assert.equal(seen.sockets.length, 2);
});

const skip =
  process.env.NODE_INTERNALS === 'off' && 'skipped: without the socket nobody can tell when it is flushed';

test('a message larger than the connection can hold is flushed before we are asked', { skip }, async (t) => {
  const { seen, mailer } = await listening(t);
  const text = 'x'.repeat(70).concat('\n').repeat(100_000);
  let had = 0;
  const posted = await mailer.post({ ...mail, text }, async () => {
    had = seen.message.length;
    return true;
  });
  assert.deepEqual(posted, { kind: 'sent' });
  // What the kernel holds of it on both sides is not seen yet.
  assert.ok(had > text.length / 3, `${had} of ${text.length}`);
});
