import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The memory limit of a child process that opens PDFs. */
export const MEMORY_LIMIT_BYTES = 400 * 2 ** 20;

// Resident memory that the kernel doesn't count as data: the code of Node and its libraries.
const PROGRAM_BYTES = 90 * 2 ** 20;

// For children stuck in a hostile file after their parent was killed, which they notice only between files.
// The pool replaces a child long before, see `spent` in child-loop.ts.
const MAX_CPU_SECONDS = 120;

const isLinux = process.platform === 'linux';

/**
 * The command that starts `node` with limits on memory and CPU time. Only the kernel can enforce them: V8's own limits don't
 * count typed arrays, such as decompressed streams. On other systems than Linux, only the pool watches the memory.
 */
export function withLimits(node: string, args: readonly string[]): { command: string; args: string[] } {
  if (!existsSync('/bin/sh')) return { command: node, args: [...args] };
  const limits = ['ulimit -c 0', `ulimit -t ${MAX_CPU_SECONDS}`];
  if (isLinux)
    limits.push(`ulimit -d ${Math.floor((MEMORY_LIMIT_BYTES - PROGRAM_BYTES + codeRangeBytes()) / 1024)}`);
  return { command: '/bin/sh', args: ['-c', `${limits.join('; ')}; exec "$0" "$@"`, node, ...args] };
}

/**
 * V8 reserves half a gigabyte of address space for machine code, which the kernel counts as data although hardly any of it
 * is used. This process runs the same V8, so its own memory map says how much.
 */
function codeRangeBytes(): number {
  let bytes = 0;
  for (const [, from = '', to = ''] of readFileSync('/proc/self/maps', 'utf8').matchAll(
    /^([0-9a-f]+)-([0-9a-f]+) rwxp 0+ 00:00 0\b/gm,
  )) {
    bytes += Number.parseInt(to, 16) - Number.parseInt(from, 16);
  }
  return bytes;
}

/** The resident memory of a process; null if unknown. */
export async function residentBytes(pid: number): Promise<number | null> {
  if (isLinux) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
    return kilobytes ? Number(kilobytes) * 1024 : null;
  }
  if (process.platform === 'win32') return null;
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, out) => {
      const kilobytes = Number.parseInt(out, 10);
      resolve(error || !Number.isFinite(kilobytes) ? null : kilobytes * 1024);
    });
  });
}
