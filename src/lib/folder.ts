import { mkdirSync, statSync } from 'node:fs';
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
