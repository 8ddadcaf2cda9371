#!/usr/bin/env node
await import('./node-24.mjs');

const args = process.argv.slice(2);
// Words after it are only to be refused, or help to be given.
if (args[0] === 'serve' && args.length === 1) {
  const dataDir = process.env.DATA_DIR || './var';
  const { beginWithRights } = await import('./rights.mjs');
  beginWithRights(dataDir);
  // What was compiled once is kept beside the labels: half the time and 25 MB less at every start but the first.
  const { enableCompileCache, flushCompileCache } = await import('node:module');
  const { existsSync } = await import('node:fs');
  const { join } = await import('node:path');
  // Where the folder cannot be made, Node would try for ever; the store says what is wrong with it.
  if (existsSync(dataDir)) enableCompileCache(process.env.NODE_COMPILE_CACHE ?? join(dataDir, 'compiled'));
  // A service may end by kill -9, which leaves no time for this.
  setTimeout(flushCompileCache, 5000).unref();
}
const { main } = await import('../src/cli/monroney.ts');
await main(args);
