#!/usr/bin/env node
await import('./node-24.mjs');

const args = process.argv.slice(2);
// With more arguments, `serve` only prints help or an error.
if (args[0] === 'serve' && args.length === 1) {
  // Trimmed like every setting: this must be the folder that the store opens.
  const dataDir = process.env.DATA_DIR?.trim() || './var';
  const { restartWithPermissions } = await import('./permissions.mjs');
  restartWithPermissions(dataDir);
  // Keeps compiled code in the data folder: every later start takes half the time and 25 MB less.
  // Node writes it when the service stops. That takes up to 300 ms, so not while requests are being served.
  const { enableCompileCache } = await import('node:module');
  const { existsSync } = await import('node:fs');
  const { join } = await import('node:path');
  // If the folder can't be created, Node would retry forever; the store reports what is wrong.
  if (existsSync(dataDir)) enableCompileCache(process.env.NODE_COMPILE_CACHE ?? join(dataDir, 'compiled'));
}
const { main } = await import('../src/cli/monroney.ts');
await main(args);
