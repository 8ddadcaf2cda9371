/** Holds a service's `/openapi.json` against our rules: `node tools/openapi/lint.ts [address]`, or on its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { start } from '../../src/main.ts';
import type { JsonObject } from '../../src/openapi-schemas.ts';
import { rules } from './rules.ts';

const [address] = process.argv.slice(2);
const document = address ? await fetchFrom(address) : await ownDocument();
let findings = 0;
for (const { name, check } of rules) {
  for (const place of check(document)) {
    findings++;
    process.stdout.write(`${place}: ${name}\n`);
  }
}
process.stdout.write(`${rules.length} rules, ${findings} findings\n`);
process.exitCode = findings > 0 ? 1 : 0;

async function fetchFrom(origin: string): Promise<JsonObject> {
  return (await (await fetch(`${origin}/openapi.json`)).json()) as JsonObject;
}

async function ownDocument(): Promise<JsonObject> {
  const folder = mkdtempSync(path.join(tmpdir(), 'monroney-lint-'));
  const config = readConfig({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder });
  const running = await start(
    config,
    createLog('error', (lines) => process.stderr.write(lines)),
  );
  try {
    return await fetchFrom(running.origin);
  } finally {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
