import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it. Not by Node's own `recursive`: where a folder cannot be made below one that is
 * there, as in /proc, that tries again for ever.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const above = dirname(resolve(path));
  if (!isFolder(above)) makeFolder(above, mode);
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
