/** Checks `/openapi.json` with our own rules and Redocly's: `node tools/lint/run.ts`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { silentLog } from '../../src/lib/log.ts';
import { start } from '../../src/main.ts';
import type { OpenApi } from './document.ts';
import { redoclyProblems } from './redocly.ts';
import { RULES } from './rules.ts';

/** The document as served by a public service. */
export async function servedDocument(): Promise<string> {
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

/** `rule: path` for every violation of our own rules. */
export function violationsIn(document: OpenApi): string[] {
  return RULES.flatMap(({ name, violations }) =>
    violations(document).map((location) => `${name}: ${location}`),
  );
}

if (import.meta.main) {
  const text = await servedDocument();
  const problems = [...violationsIn(JSON.parse(text) as OpenApi), ...(await redoclyProblems(text))];
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (problems.length === 0)
    process.stdout.write(`/openapi.json: ${RULES.length} own rules and Redocly's, no problems.\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
