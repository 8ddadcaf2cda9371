/**
 * Kills the command that sends a notice at random moments until all recipients were tried. No recipient gets two messages,
 * and the command names those that got none. `node tools/drill/notices.ts [--kills 200] [--shared]`; `--shared` uses PostgreSQL.
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
const OFF = Date.parse('2026-11-12');
const NOTICE = 'labels-stopped kia 2026-11-12';
/** A run sends a handful of messages in this time. */
const LONGEST_LIFE_MS = 120;

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
  const begin = () => {
    const child = spawn(process.execPath, [COMMAND, 'admin', 'notice', 'labels-stopped', 'kia'], { env });
    const out: string[] = [];
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes.toString()));
    child.stderr.resume();
    return { child, out, closed: once(child, 'close') };
  };
  try {
    const people = Array.from({ length: 1000 + 10 * kills }, (_, i) => `dev${i + 100_000}@example.org`);
    const day = new Date().toISOString().slice(0, 10);
    await store.contacts.add(people.map((contact) => ({ contact, day, route: ROUTE, count: 1 })));
    await store.setSwitch({ source: 'kia', state: 'off', reason: 'a drill', since: OFF });
    for (let kill = 0; kill < kills; kill++) {
      const { child, closed } = begin();
      const sending = new Promise<void>((resolve) => {
        mail.onRecipient = () => {
          resolve();
          return null;
        };
      });
      await Promise.race([sending, closed]);
      await wait(Math.random() * LONGEST_LIFE_MS);
      expect(child.exitCode === null, 'a run ended before it was killed');
      child.kill('SIGKILL');
      await closed;
    }
    const last = begin();
    const [code] = await last.closed;
    const output = last.out.join('');
    expect(code === 0, `the last run ended with ${code}: ${output.slice(0, 200)}`);

    const got = new Map(people.map((person) => [person, 0]));
    for (const { to } of mail.taken) got.set(to[0]!, got.get(to[0]!)! + 1);
    const unsure = (await store.contacts.noticeRows(NOTICE)).filter(isUnsure).map((row) => row.recipient);
    const named = new Set(output.split('\n').map((line) => line.trim()));
    for (const person of unsure) expect(named.has(person), `${person} is unsure and not named`);
    for (const [person, times] of got) {
      expect(times < 2, `${person} got ${times}`);
      expect(times > 0 || named.has(person), `${person} got nothing and is not named`);
    }
    const counted = (times: number) => people.filter((person) => got.get(person) === times).length;
    return result({
      store: shared ? 'shared' : 'embedded',
      kills,
      recipients: people.length,
      once: counted(1),
      twice: people.length - counted(0) - counted(1),
      unsure: unsure.length,
      unsureAndTaken: unsure.filter((person) => got.get(person) === 1).length,
      nothingAndNotNamed: people.filter((person) => got.get(person) === 0 && !named.has(person)).length,
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
  const { ok, figures, wrong } = await run({ kills: Number(kills), shared });
  process.stdout.write(`${ok ? 'passed' : 'FAILED'} ${JSON.stringify(figures)}\n${wrong.join('\n')}\n`);
  process.exitCode = ok ? 0 : 1;
}
