#!/usr/bin/env node
await import('./node-24.mjs');

const args = process.argv.slice(2);
// With more arguments, `serve` only prints help or an error.
if (args[0] === 'serve' && args.length === 1) {
  // Trimmed like every setting: this must be the folder that the store opens.
  const dataDir = process.env.DATA_DIR?.trim() || './var';
  const { COMPILED, restartWithPermissions } = await import('./permissions.mjs');
  restartWithPermissions(dataDir);
  // With compiled code, a start takes half the time and 25 MB less. Never from the data folder: code in it would run.
  const { enableCompileCache } = await import('node:module');
  const { existsSync } = await import('node:fs');
  if (existsSync(COMPILED)) enableCompileCache(COMPILED);
}
const { main } = await import('../src/cli/monroney.ts');
await main(args);
