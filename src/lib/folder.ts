import { lchownSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

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
