/** Checks `/openapi.json` with Redocly's strict rules: `node tools/lint/openapi.ts`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readConfig } from '../../src/config.ts';
import { silentLog } from '../../src/lib/log.ts';
import { start } from '../../src/main.ts';

/** The document as served by a public service. */
async function servedDocument(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'monroney-lint-'));
  const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, BASE_URL: 'https://monroney.test' };
  const running = await start(readConfig(env), silentLog, { warmWorkers: false });
  try {
    return await (await fetch(`${running.origin}/openapi.json`)).text();
  } finally {
    await running.close();
    rmSync(dataDir, { recursive: true });
  }
}

const config = await createConfig({ extends: ['recommended-strict'] });
const source = await servedDocument();
const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
for (const { ruleId, message, location } of problems)
  process.stdout.write(`${ruleId}: ${message} ${location[0]?.pointer ?? ''}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
