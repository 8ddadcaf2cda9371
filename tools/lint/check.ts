/** `npm run check`: every check, whether or not an earlier one failed, and at the end which did. */
import { spawnSync } from 'node:child_process';

const CHECKS = [
  'tsc --noEmit',
  'oxlint --type-aware',
  'oxfmt --check .',
  'node tools/lint/imports.ts',
  'node tools/documents.ts --check',
  'node tools/lint/openapi.ts',
];

const failed = CHECKS.filter((check) => spawnSync(check, { shell: true, stdio: 'inherit' }).status !== 0);
if (failed.length > 0) {
  process.stderr.write(`\nFailed:\n${failed.map((check) => `  ${check}\n`).join('')}`);
  process.exitCode = 1;
}
