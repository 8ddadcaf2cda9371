/**
 * Runs every test a fresh machine can run: `npm test`, or `npm test -- part-of-a-path …` for some. `npm run test:quick`
 * leaves out what starts a service or opens many PDFs, for everyday work.
 * Suites that need a browser, database servers or other people's programs have commands of their own
 * (`npm run test:pages`, `test:shared`, `test:mcp`, `test:packages`, `test:vpic`, `test:adding`, `test:image`,
 * `test:generators`, `test:internet`) and live in `test/<name>/`.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const apart = ['pages', 'shared', 'mcp', 'packages', 'vpic', 'adding', 'image', 'generators', 'internet'].map(
  (name) => `test/${name}/`,
);
/** Minutes of real time, child processes and samples. */
const SLOW =
  /^test\/|^src\/pdf\/|worst-case|judge|^src\/cli\/(?:read|relabel)|derived-cache|client\/test\/service|crash|build\.test|fetch\.test/;
const quick = process.argv.includes('--quick');
const wanted = process.argv.slice(2).filter((word) => word !== '--quick');
const files = globSync([
  'src/**/*.test.ts',
  'packages/*/{src,test}/**/*.test.ts',
  'tools/**/*.test.ts',
  'test/**/*.test.ts',
])
  .filter((file) => !file.includes('node_modules') && !(quick && SLOW.test(file)))
  .filter((file) =>
    wanted.length
      ? wanted.some((part) => file.includes(part))
      : !apart.some((folder) => file.startsWith(folder)),
  )
  .sort();
if (files.length === 0) {
  process.stderr.write(`No test file matches ${wanted.join(', ') || 'anything'}.\n`);
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  ['--test', '--test-concurrency=2', '--test-timeout=240000', ...files],
  {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test' },
  },
);
process.exit(status ?? 1);
