// Plain JavaScript, so that an old Node can run it and print what to do.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Monroney needs Node 24 or newer; this is ${process.version} (${process.execPath}).\n${advice()}\n`,
  );
  process.exit(1);
}

/** Depends on how Monroney was installed. */
function advice() {
  const here = fileURLToPath(import.meta.url);
  const install = 'Install Node 24 from nodejs.org or your package manager';
  if (/[\\/]_npx[\\/]/.test(here)) return `${install}, then run npx again.`;
  if (/[\\/]node_modules[\\/]/.test(here)) return `${install}, then run the command again.`;
  const bundled = fileURLToPath(new URL('../node_modules/node-24', import.meta.url));
  if (existsSync(bundled))
    return `Run it through npm, which uses the Node 24 that "npm ci" installed: npm start, or npm run -s monroney -- help.`;
  return `${install}, or run "npm ci" here: on Linux and Windows it installs Node 24, and "npm start" uses it.`;
}
