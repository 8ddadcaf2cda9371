// lane: service
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { listen } from '../lib/testing.ts';
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

/** A mail server that accepts everything and shows what it has received. */
async function startMailServer(t: TestContext) {
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
  });
  const mailer = openMailer(`smtp://127.0.0.1:${await listen(t, server)}`);
  t.after(() => {
    mailer.close();
    for (const socket of seen.sockets) socket.destroy();
  });
  return { seen, mailer };
}

/** Waits until the condition holds. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

test('beforeEnd is called when the server has all of the message but its end, which is sent only if it agrees', async (t) => {
  const { seen, mailer } = await startMailServer(t);
  let before = '';
  const outcome = await mailer.send(mail, async () => {
    await until(() => /Last line\.<\/p>[\s\S]*--\r\n$/.test(seen.message));
    before = seen.message;
    return true;
  });
  assert.deepEqual(outcome, { kind: 'sent' });
  assert.ok(!before.includes(END));
  assert.equal(seen.message, `${before}.\r\n`);
});

test('if beforeEnd returns false, the end is never sent, and the next message uses a new connection', async (t) => {
  const { seen, mailer } = await startMailServer(t);
  assert.deepEqual(await mailer.send(mail, async () => false), { kind: 'withheld' });
  await once(seen.sockets[0]!, 'close');
  assert.ok(!seen.message.includes(END));
  seen.message = '';
  assert.deepEqual(await mailer.send(mail, async () => true), { kind: 'sent' });
  assert.equal(seen.sockets.length, 2);
});
