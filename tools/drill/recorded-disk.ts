/** The file operations of a traced process, and what a power cut could leave on disk. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Op =
  | { kind: 'create'; path: string; truncate: boolean }
  | { kind: 'write'; path: string; offset: number | 'end'; bytes: Buffer }
  | { kind: 'truncate'; path: string; size: number }
  | { kind: 'sync'; path: string }
  | { kind: 'rename' | 'link'; path: string; to: string }
  | { kind: 'unlink'; path: string }
  | { kind: 'mkdir'; path: string }
  /** What the process wrote to standard output. */
  | { kind: 'stdout'; text: string };

/** Which of the operations so far are on disk after a power cut. */
export const CRASH_STATES = ['everything', 'torn', 'only synced', 'names before data'] as const;
export type CrashState = (typeof CRASH_STATES)[number];

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex');
const HEX = String.raw`"((?:\\x[0-9a-f]{2})*)"`;
const FD = String.raw`(\d+)<([^>]*)>`;

/** Parses the output of `strace -f -y -xx -s 10000000`. Skips paths outside `root` and makes the others relative. */
export function parseTrace(trace: string, root: string): Op[] {
  const ops: Op[] = [];
  const unfinished = new Map<string, string>();
  const offsets = new Map<string, number>();
  const inside = (path: string): string | null => {
    if (path === root) return '';
    return path.startsWith(`${root}/`) && !path.endsWith('(deleted)') ? path.slice(root.length + 1) : null;
  };
  for (const line of readFileSync(trace, 'latin1').split('\n')) {
    const [, pid = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (rest.endsWith('<unfinished ...>')) {
      unfinished.set(pid, rest.replace(/ ?<unfinished \.\.\.>$/, ''));
      continue;
    }
    // An operation counts once it has returned.
    const resumed = /^<\.\.\. \w+ resumed>,? ?(.*)$/.exec(rest);
    const call = resumed ? unfinished.get(pid)! + resumed[1]! : rest;
    const completed = /^(\w+)\((.*)\)\s+= (-?\d+)(?:<([^>]*)>)?/.exec(call);
    if (!completed || completed[3]!.startsWith('-')) continue;
    const [, name = '', args = '', result = '', opened] = completed;
    const paths = Array.from(args.matchAll(new RegExp(HEX, 'g')), ([, hex]) => bytesOf(hex!));
    const of = (buffer: Buffer | undefined) => inside(buffer?.toString() ?? '');
    const [, fd = '', fdPath = ''] = new RegExp(`^${FD}`).exec(args) ?? [];
    const file = inside(bytesOf(fdPath).toString());
    if (name === 'openat' && opened) {
      const path = of(paths[0]);
      offsets.set(result, 0);
      if (path !== null && args.includes('O_APPEND')) offsets.set(result, -1);
      if (path !== null && args.includes('O_CREAT'))
        ops.push({ kind: 'create', path, truncate: args.includes('O_TRUNC') });
    } else if (name === 'write' && fd === '1') ops.push({ kind: 'stdout', text: paths[0]!.toString() });
    else if (name === 'write' && file !== null) {
      const offset = offsets.get(fd)!;
      ops.push({
        kind: 'write',
        path: file,
        offset: offset < 0 ? 'end' : offset,
        bytes: paths[0]!.subarray(0, Number(result)),
      });
      if (offset >= 0) offsets.set(fd, offset + Number(result));
    } else if (name === 'pwrite64' && file !== null) {
      const offset = Number(/, (\d+)$/.exec(args)![1]);
      ops.push({ kind: 'write', path: file, offset, bytes: paths[0]!.subarray(0, Number(result)) });
    } else if (name === 'ftruncate' && file !== null) {
      ops.push({ kind: 'truncate', path: file, size: Number(/, (\w+)$/.exec(args)![1]) });
    } else if ((name === 'fsync' || name === 'fdatasync') && file !== null)
      ops.push({ kind: 'sync', path: file });
    else if (name.startsWith('rename') || name.startsWith('link')) {
      const [path, to] = [of(paths[0]), of(paths[1])];
      const kind = name.startsWith('link') ? 'link' : 'rename';
      if (path !== null && to !== null) ops.push({ kind, path, to });
    } else if (name.startsWith('unlink') && of(paths[0]) !== null)
      ops.push({ kind: 'unlink', path: of(paths[0])! });
    else if (name.startsWith('mkdir') && of(paths[0])) ops.push({ kind: 'mkdir', path: of(paths[0])! });
    else if (/^(pwritev|writev|pwritev2|copy_file_range|sendfile)/.test(name) && file !== null)
      throw new Error(`The trace contains an unsupported operation: ${name}`);
  }
  // SQLite recreates its shared memory after a crash.
  return ops.filter((op) => !('path' in op) || !op.path.endsWith('-shm'));
}

interface Node {
  live: Buffer;
  /** As of the last flush. */
  flushed: Buffer;
  /** The state after a partial last write. */
  torn: Buffer | null;
}

export function recordedDisk() {
  const names = new Map<string, Node | 'folder'>();
  const flushedNames = new Map<string, Node | 'folder'>();
  const parent = (path: string) => (path.includes('/') ? dirname(path) : '');

  function apply(op: Op): void {
    for (const node of names.values()) if (node !== 'folder') node.torn = null;
    if (op.kind === 'stdout') return;
    const node = names.get(op.path);
    const file = node === 'folder' ? undefined : node;
    switch (op.kind) {
      case 'create':
        if (!file) names.set(op.path, { live: Buffer.alloc(0), flushed: Buffer.alloc(0), torn: null });
        else if (op.truncate) file.live = Buffer.alloc(0);
        return;
      case 'write': {
        if (!file) throw new Error(`A write to a file that doesn't exist: ${op.path}`);
        const offset = op.offset === 'end' ? file.live.length : op.offset;
        const write = (bytes: Buffer) => {
          const next = Buffer.alloc(Math.max(file.live.length, offset + bytes.length));
          file.live.copy(next);
          bytes.copy(next, offset);
          return next;
        };
        file.torn = write(op.bytes.subarray(0, op.bytes.length >> 1));
        file.live = write(op.bytes);
        return;
      }
      case 'truncate':
        if (file) file.live = Buffer.concat([file.live.subarray(0, op.size)], op.size);
        return;
      case 'sync':
        if (file) file.flushed = file.live;
        else {
          for (const path of flushedNames.keys()) if (parent(path) === op.path) flushedNames.delete(path);
          for (const [path, each] of names) if (parent(path) === op.path) flushedNames.set(path, each);
        }
        return;
      case 'rename':
      case 'link':
        if (node) names.set(op.to, node);
        if (op.kind === 'rename') names.delete(op.path);
        return;
      case 'unlink':
        names.delete(op.path);
        return;
      case 'mkdir':
        names.set(op.path, 'folder');
    }
  }

  /** Writes the files that a power cut would leave to an empty folder. */
  function writeState(state: CrashState, folder: string): void {
    const list = state === 'only synced' ? flushedNames : names;
    const reachable = (path: string): boolean =>
      !path.includes('/') || (list.get(dirname(path)) === 'folder' && reachable(dirname(path)));
    for (const [path, node] of [...list].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!reachable(path)) continue;
      if (node === 'folder') mkdirSync(join(folder, path), { mode: 0o700, recursive: true });
      else if (state === 'everything') writeFileSync(join(folder, path), node.live);
      else if (state === 'torn') writeFileSync(join(folder, path), node.torn ?? node.live);
      else writeFileSync(join(folder, path), node.flushed);
    }
  }

  return { apply, writeState };
}
