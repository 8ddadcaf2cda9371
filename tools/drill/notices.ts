/**
 * Kills the command that sends a notice at random moments until all recipients have been tried. No recipient gets two
 * messages, and the command reports those that got none. `node tools/drill/notices.ts [--kills 200] [--shared]`;
 * `--shared` uses PostgreSQL.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isUnsure } from '../../src/contacts/notices.ts';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { startMailServer } from '../../test/mail-server.ts';
import { startServers } from '../../test/shared/servers.ts';
import { collectFailures, type DrillResult } from './drill.ts';

const COMMAND = fileURLToPath(new URL('../../bin/monroney.mjs', import.meta.url));
const ROUTE = '/api/v1/vin/{vin}';
const SWITCHED_OFF = Date.parse('2026-11-12');
const NOTICE = 'labels-stopped kia 2026-11-12';
/** A run sends a handful of messages in this time. */
const MAX_RUN_MS = 120;

export async function run({ kills = 200, shared = false } = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures('notices');
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-notices-'));
  const servers = shared ? await startServers() : null;
  const urls = {
    databaseUrl: (await servers?.database('notices')) ?? null,
    redisUrl: servers?.redisUrl() ?? null,
    s3Url: servers?.s3Url() ?? null,
  };
  const mail = await startMailServer();
  const store = await openStore({ dataDir, ...urls, log: silentLog, exclusive: false });
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    BASE_URL: 'https://labels.example',
    SMTP_URL: mail.url,
    ...(servers && { DATABASE_URL: urls.databaseUrl!, REDIS_URL: urls.redisUrl!, S3_URL: urls.s3Url! }),
  };
  const startCommand = () => {
    const child = spawn(process.execPath, [COMMAND, 'admin', 'notice', 'labels-stopped', 'kia'], { env });
    const out: string[] = [];
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes.toString()));
    child.stderr.resume();
    return { child, out, closed: once(child, 'close') };
  };
  try {
    const recipients = Array.from({ length: 1000 + 10 * kills }, (_, i) => `dev${i + 100_000}@example.org`);
    const day = new Date().toISOString().slice(0, 10);
    await store.contacts.add(recipients.map((contact) => ({ contact, day, route: ROUTE, count: 1 })));
    await store.setSwitch({ source: 'kia', state: 'off', reason: 'a drill', since: SWITCHED_OFF });
    for (let kill = 0; kill < kills; kill++) {
      const { child, closed } = startCommand();
      const sending = new Promise<void>((resolve) => {
        mail.onRecipient = () => {
          resolve();
          return null;
        };
      });
      await Promise.race([sending, closed]);
      await wait(Math.random() * MAX_RUN_MS);
      expect(child.exitCode === null, 'a run ended before it was killed');
      child.kill('SIGKILL');
      await closed;
    }
    const last = startCommand();
    const [code] = await last.closed;
    const output = last.out.join('');
    expect(code === 0, `the last run ended with ${code}: ${output.slice(0, 200)}`);

    const received = new Map(recipients.map((recipient) => [recipient, 0]));
    for (const { to } of mail.received) received.set(to[0]!, received.get(to[0]!)! + 1);
    const unsure = (await store.contacts.noticeRows(NOTICE)).filter(isUnsure).map((row) => row.recipient);
    const reported = new Set(output.split('\n').map((line) => line.trim()));
    for (const recipient of unsure)
      expect(reported.has(recipient), `${recipient} is unsure and not reported`);
    for (const [recipient, times] of received) {
      expect(times < 2, `${recipient} got ${times} messages`);
      expect(times > 0 || reported.has(recipient), `${recipient} got nothing and is not reported`);
    }
    const countWith = (times: number) =>
      recipients.filter((recipient) => received.get(recipient) === times).length;
    return result({
      store: shared ? 'shared' : 'embedded',
      kills,
      recipients: recipients.length,
      once: countWith(1),
      twice: recipients.length - countWith(0) - countWith(1),
      unsure: unsure.length,
      unsureAndTaken: unsure.filter((recipient) => received.get(recipient) === 1).length,
      nothingAndNotReported: recipients.filter(
        (recipient) => received.get(recipient) === 0 && !reported.has(recipient),
      ).length,
    });
  } finally {
    await store.close();
    mail.kill();
    await servers?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const options = { kills: { type: 'string', default: '200' }, shared: { type: 'boolean' } } as const;
  const { kills, shared } = parseArgs({ options }).values;
  const { ok, figures, failures } = await run({ kills: Number(kills), shared });
  process.stdout.write(`${ok ? 'passed' : 'FAILED'} ${JSON.stringify(figures)}\n${failures.join('\n')}\n`);
  process.exitCode = ok ? 0 : 1;
}
