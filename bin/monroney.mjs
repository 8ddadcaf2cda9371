#!/usr/bin/env node
// Plain JavaScript, so that an old Node gets as far as being told what to do.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Monroney needs Node 24 or newer; this is ${process.version} (${process.execPath}).\n` +
      'Run it through npm ("npm start", "npm run -s monroney -- help"): "npm ci" brings the right Node along\n' +
      'on Linux and Windows. Elsewhere install Node 24 from nodejs.org or your package manager first.\n',
  );
  process.exit(1);
}
const args = process.argv.slice(2);
if (args[0] === 'serve') {
  // What was compiled once is kept beside the labels: half the time and 25 MB less at every start but the first.
  const { enableCompileCache, flushCompileCache } = await import('node:module');
  const { join } = await import('node:path');
  enableCompileCache(process.env.NODE_COMPILE_CACHE ?? join(process.env.DATA_DIR || './var', 'compiled'));
  // A service may end by kill -9, which leaves no time for this.
  setTimeout(flushCompileCache, 5000).unref();
}
const { main } = await import('../src/cli/monroney.ts');
await main(args);
