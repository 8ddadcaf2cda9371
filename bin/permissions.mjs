// Plain JavaScript: this process is replaced at once, and loading TypeScript would take longer than everything else it does.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Compiled code is in the program's folder: whoever can change it can change the program itself. See compile.mjs.
export const COMPILED = join(fileURLToPath(new URL('..', import.meta.url)), '.compiled');

// Node's flags give these characters a special meaning.
const SPECIAL = /[*,]/;

// About 50 MB are live. With Node's defaults, uncollected garbage would fill the machine's memory.
// The young generation is too small to be worth sharing between threads.
export const HEAP_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=384', '--no-parallel-scavenge'];

// Lets glibc return buffers of a megabyte and more when they are freed. By default it would keep those of decompressed
// bodies, up to 200 MB.
const MALLOC_ENV = { MALLOC_MMAP_THRESHOLD_: '1048576' };

// Node's permission model: read everything, write one folder, start the child processes that open PDFs.
export function permissionFlags(dataDir) {
  return [
    '--permission',
    '--allow-fs-read=*',
    // With a star, because Node would take a folder that doesn't exist yet for a file.
    `--allow-fs-write=${join(resolve(dataDir), '*')}`,
    // Node loads compiled code only from a folder that it may write.
    ...(existsSync(COMPILED) && !SPECIAL.test(COMPILED) ? [`--allow-fs-write=${COMPILED}`] : []),
    '--allow-child-process',
    // Node warns that children aren't restricted. Ours are started with even fewer permissions.
    '--disable-warning=PERM0002',
  ];
}

// Restarts this process (same process id) with Node's permission flags, so that it can write only to its folder. Flags from the
// command line come last and take precedence. If a restart isn't possible, the process continues without them.
export function restartWithPermissions(dataDir) {
  // A restart would close the IPC channel to the parent process.
  if (process.permission || !process.execve || process.channel) return;
  if (SPECIAL.test(dataDir)) return;
  try {
    makeFolder(resolve(dataDir));
  } catch (error) {
    // A file in its place: the store reports the problem with a clearer message. Other problems may pass while it runs.
    if (['EEXIST', 'ENOTDIR'].includes(error.code)) return;
  }
  const [, ...args] = process.argv;
  process.execve(
    process.execPath,
    [process.execPath, ...HEAP_FLAGS, ...permissionFlags(dataDir), ...process.execArgv, ...args],
    { ...MALLOC_ENV, ...process.env },
  );
}

// Without `recursive`, for the reason given in src/lib/file-system.ts.
function makeFolder(path) {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
