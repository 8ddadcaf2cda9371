import { mkdirSync, readdirSync, statSync } from 'node:fs';
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
