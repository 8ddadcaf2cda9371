/** Checks `/openapi.json`, as served by a public service, with Redocly's strict rules: `node tools/lint/openapi.ts`. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { startService } from '../../test/service.ts';

const service = await startService({ BASE_URL: 'https://monroney.test' });
const source = await (await fetch(`${service.origin}/openapi.json`)).text();
await service.close();
const config = await createConfig({ extends: ['recommended-strict'] });
const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
for (const { ruleId, message, location } of problems)
  process.stdout.write(`${ruleId}: ${message} ${location[0]?.pointer ?? ''}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
