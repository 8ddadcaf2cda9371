// Plain JavaScript: loading TypeScript would cost the process that is given up at once more than all the rest.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

// Room for young objects and for old ones. What is alive is about 50 MB; with Node's own options the rest of the machine
// fills up with what nobody collects.
export const HEAP = ['--max-semi-space-size=8', '--max-old-space-size=384'];

// Node's permission model: everything may be read, one folder written, and the children that open PDFs started.
export function rights(dataDir) {
  return [
    '--permission',
    '--allow-fs-read=*',
    `--allow-fs-write=${resolve(dataDir)}`,
    '--allow-child-process',
    // Node warns that a child may do anything. Ours are started under this model with fewer rights than these.
    '--disable-warning=PERM0002',
  ];
}

// The service becomes a process that may write nothing but its folder: the same process, of the same number, begun anew
// with Node's options. Options given by hand come last and win. Where that is not possible it goes on as it is.
export function beginWithRights(dataDir) {
  // Whoever is connected to us through a channel would lose it.
  if (process.permission || !process.execve || process.channel) return;
  // These mean something else to Node than to the file system.
  if (/[*,]/.test(dataDir)) return;
  try {
    makeFolder(resolve(dataDir));
  } catch {
    return; // The store will say what is wrong with the folder, and it says it better.
  }
  const [, ...words] = process.argv;
  process.execve(
    process.execPath,
    [process.execPath, ...HEAP, ...rights(dataDir), ...process.execArgv, ...words],
    process.env,
  );
}

// Step by step, for the reason that src/lib/folder.ts gives.
function makeFolder(path) {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
