import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** What a child that opens PDFs may have in memory at most. */
export const CEILING_BYTES = 400 * 2 ** 20;

// Resident beside the data that the kernel counts: the pages of Node itself and of its libraries.
const programBytes = 90 * 2 ** 20;

// A child whose parent was killed notices only between files; one that spins in a hostile file ends here.
// The pool replaces a child long before, see `spent` in child.ts.
const cpuSeconds = 120;

const linux = process.platform === 'linux';

/**
 * The command that starts `node` under the ceiling. Only the kernel can hold a process to it: V8's own limits do not
 * count typed arrays, and a decompressed stream is one. Elsewhere than on Linux the pool's watch has to do.
 */
export function underCeiling(node: string, args: readonly string[]): { command: string; args: string[] } {
  if (!existsSync('/bin/sh')) return { command: node, args: [...args] };
  const limits = ['ulimit -c 0', `ulimit -t ${cpuSeconds}`];
  if (linux) limits.push(`ulimit -d ${Math.floor((CEILING_BYTES - programBytes + codeRangeBytes()) / 1024)}`);
  return { command: '/bin/sh', args: ['-c', `${limits.join('; ')}; exec "$0" "$@"`, node, ...args] };
}

/**
 * V8 sets aside half a gigabyte of addresses for machine code, and the kernel counts them as data although
 * hardly any of it is ever used. This process runs on the same V8, so its own map tells how much.
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

/** Bytes a process has in memory, null where that cannot be told. */
export async function residentBytes(pid: number): Promise<number | null> {
  if (linux) {
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
