import { constants, lchownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** For files and folders that other processes use, too: they may replace them, make them larger, or run as another user. */

/**
 * Creates a folder and its parents. Doesn't use Node's `recursive` option, which loops forever if an existing parent, such
 * as /proc, doesn't allow new folders.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const parent = dirname(resolve(path));
  if (!isFolder(parent)) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isFolder(path)) throw error;
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Gives what root created to the owner of the folder it is in, as SQLite does with its own files. Otherwise a service that
 * runs as another user couldn't open what an admin command left.
 */
export function giveToFolderOwner(path: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid === 0) return;
  try {
    lchownSync(path, uid, gid);
  } catch {
    // A container may not let root do it, nor may a network file system. Root itself can use the file.
  }
}

/**
 * Turns root into the owner of a folder, for good: whoever can write to the folder could make root write elsewhere, through
 * links. Does nothing if the folder belongs to root, if its owner can't reach it (systemd hides the folders of dynamic
 * users), or if root may not become its owner.
 */
export function becomeOwnerOf(path: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 };
  if (uid === 0) return;
  try {
    process.setegid!(gid);
    process.seteuid!(uid);
    // Not `access`, which asks about the real user.
    readdirSync(path);
  } catch {
    // A container may not let root become somebody else either.
    if (process.geteuid() !== 0) process.seteuid!(0);
    if (process.getegid!() !== 0) process.setegid!(0);
    return;
  }
  process.seteuid!(0);
  process.setgroups!([]);
  process.setgid!(gid);
  process.setuid!(uid);
}

/** Windows has no such flag. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** Follows no links, and does not wait for a writer when the path is a pipe. */
export const READ_FLAGS = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);

/** The first bytes of a file, or fewer if it has fewer. */
export async function readUpTo(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
