#!/usr/bin/env node
await import('./node-24.mjs');

const args = process.argv.slice(2);
const { COMPILED, restartWithPermissions } = await import('./permissions.mjs');
// With more arguments, `serve` only prints help or an error.
if (args[0] === 'serve' && args.length === 1) {
  // Trimmed like every setting: this must be the folder that the store opens.
  const dataDir = process.env.DATA_DIR?.trim() || './var';
  restartWithPermissions(dataDir);
}
// With compiled code, a start takes half the time and 25 MB less. Never from the data folder: code in it would run.
const { enableCompileCache } = await import('node:module');
const { existsSync } = await import('node:fs');
if (existsSync(COMPILED)) enableCompileCache(COMPILED);
// npm runs scripts in the package's folder. Paths are relative to the caller's, but the store is where it was.
const { env } = process;
if (
  env.INIT_CWD &&
  env.npm_lifecycle_event &&
  env.npm_package_name === 'monroney' &&
  !/^(?:serve|admin)$/.test(args[0])
) {
  const { resolve } = await import('node:path');
  env.DATA_DIR = resolve(env.DATA_DIR?.trim() || './var');
  process.chdir(env.INIT_CWD);
}
const { main } = await import('../src/cli/monroney.ts');
await main(args);
